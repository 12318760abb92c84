/** What is used of Deno, declared here so that this project's compiler, which knows nothing of it, can check these files. */

export interface DenoFile {
  write(bytes: Uint8Array): Promise<number>;
  truncate(length: number): Promise<void>;
  syncData(): Promise<void>;
  tryLock(exclusive: boolean): Promise<boolean>;
  close(): void;
}

export interface DenoFiles {
  open(path: string, options: { create: boolean; read: boolean; append: boolean }): Promise<DenoFile>;
  readTextFile(path: string | URL): Promise<string>;
  writeTextFile(path: string, text: string, options: { append: boolean }): Promise<void>;
  readonly errors: { readonly NotFound: new (message: string) => Error };
}

export interface DenoRuntime extends DenoFiles {
  readonly args: readonly string[];
  serve(
    options: { hostname: string; port: number; onListen(address: { port: number }): void },
    handler: (request: Request) => Response | Promise<Response>,
  ): { readonly addr: { readonly port: number } };
}
