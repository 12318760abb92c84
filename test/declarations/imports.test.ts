import { describe, expect, it } from "vitest";
import type { ProgramSource } from "../../src/declarations/program.ts";
import { accepted, local, refusals, sentence } from "./programs.ts";

const repository = (name: string, files: Readonly<Record<string, string>>, version = "1.0.0"): ProgramSource["repositories"][number] => ({
  repository: name,
  version,
  files,
});
const K = "pub type K {}";
const USE_K = (path: string): string => `use "${path}"\n@tool flow f(k: k.K) -> Result<Unit, Never>`;

describe("paths", () => {
  it("lead from the file's folder, up to the root and down again", async () => {
    for (const [path, target] of [
      ["./k", "a/b/k.flow"],
      ["../k", "a/k.flow"],
      ["../../k", "k.flow"],
      ["./c/../k", "a/b/k.flow"],
      ["../../d/./k", "d/k.flow"],
    ] as const) {
      const { types } = await accepted(local({ "a/b/main.flow": USE_K(path), [target]: K }));
      expect([...types.values()].map((type) => type.identity)).toEqual([`${target}.K`]);
    }
  });

  it("mean the longest of several repositories, at a slash", async () => {
    const repositories = [
      repository("r.x/a", { "b/k.flow": K, "bc/k.flow": K }),
      repository("r.x/a/b", { "k.flow": K }, "2.0.0"),
      repository("r.x", {}),
    ];
    const identityOf = async (path: string): Promise<string | undefined> => {
      const { types } = await accepted({ repositories, local: { files: { "main.flow": USE_K(path) } } });
      return types.get("t1")?.identity;
    };
    expect(await identityOf("r.x/a/b/k")).toBe("r.x/a/b@2.0.0/k.flow.K");
    expect(await identityOf("r.x/a/bc/k")).toBe("r.x/a@1.0.0/bc/k.flow.K");
    expect(await identityOf("r.x/a/x/../bc/k")).toBe("r.x/a@1.0.0/bc/k.flow.K");
  });

  it("may name a file's own repository, and a file itself", async () => {
    await accepted({ repositories: [repository("r.x/a", { "k.flow": `${K}\nuse "r.x/a/m"\nuse "./k"`, "m.flow": USE_K("r.x/a/k") })] });
  });

  it.each([
    ["../k", "path", "leaves the local root"],
    ["./a/../../k", "path", "leaves the local root"],
    ["r.x/a/../k", "path", "leaves the repository `r.x/a`"],
    [".//k", "path", "single slashes"],
    ["./a\\\\k", "path", "letters, digits and underscores"],
    ["/k", "path", "met `/k`"],
    ["", "path", "expected a path like"],
    ["..", "path", "expected a path like"],
    ["./k.flow", "path", "leave out `.flow`"],
    ["./my-k", "path", "letters, digits and underscores"],
    ["./K", "name-case", "rename the file"],
    ["k", "unresolved-import", "write `./k` for the file beside this one"],
    ["r.x/b/k", "unresolved-import", "add the repository to the program"],
    ["r.x/a", "unresolved-import", "add the file"],
    ["r.x/a/gone", "unresolved-import", "there is no file `gone.flow` in `r.x/a`"],
    ["./gone", "unresolved-import", "there is no file `gone.flow` in the local root"],
    ["./json", "reserved", "`json.Value` already means"],
  ])("%j is refused: %s", async (path, code, says) => {
    const program = {
      repositories: [repository("r.x/a", { "k.flow": K })],
      local: { files: { "main.flow": `use "${path}"`, "k.flow": K, "K.flow": K, "json.flow": "" } },
    };
    const [first, ...others] = await refusals(program);
    expect(first).toMatch(new RegExp(`^${code} 1:`));
    expect(others).toEqual([]);
    expect(await sentence(program)).toContain(says);
  });

  it("refused once are not refused again where the alias is used", async () => {
    expect(await refusals('use "./gone"\ntype A { x: gone.B, y: lost.C }')).toEqual([
      "unresolved-import 1:5 ./gone",
      "unknown-name 2:24 lost",
    ]);
  });

  it("give each alias once", async () => {
    expect(await refusals(local({ "main.flow": 'use "./k"\nuse "./a/k"\nuse "./k"', "k.flow": K, "a/k.flow": K }))).toEqual([
      "duplicate 2:5 k",
      "duplicate 3:5 k",
    ]);
  });
});

describe("cycles across repositories", () => {
  it("are refused at every `use` on them, and at no other", async () => {
    const met = await refusals({
      repositories: [
        repository("r/a", { "x.flow": 'use "r/b/x"\nuse "r/d/z"', "y.flow": "" }),
        repository("r/b", { "x.flow": 'use "./y"', "y.flow": 'use "r/c/x"\nuse "r/c/gone"' }),
        repository("r/c", { "x.flow": 'use "r/a/y"' }),
        repository("r/d", { "z.flow": "" }),
      ],
      local: { files: { "main.flow": 'use "r/a/x"' } },
    });
    expect(met).toEqual([
      "r/a@1.0.0/x.flow import-cycle 1:5 r/b/x",
      "r/b@1.0.0/y.flow import-cycle 1:5 r/c/x",
      "r/b@1.0.0/y.flow unresolved-import 2:5 r/c/gone",
      "r/b@1.0.0/y.flow import-cycle 2:5 r/c/gone",
      "r/c@1.0.0/x.flow import-cycle 1:5 r/a/y",
    ]);
  });

  it("count by repository, not by file, whatever the versions", async () => {
    const twice = [repository("r/a", { "x.flow": 'use "r/b/x"' }), repository("r/a", { "y.flow": "" }, "2.0.0")];
    const met = await refusals({ repositories: [...twice, repository("r/b", { "x.flow": "", "y.flow": 'use "r/a/x"' })] });
    expect(met).toEqual([" two-versions 0:0 r/a", "r/a@1.0.0/x.flow import-cycle 1:5 r/b/x", "r/b@1.0.0/y.flow import-cycle 1:5 r/a/x"]);
  });

  it("of files inside a repository are fine", async () => {
    await accepted({ repositories: [repository("r/a", { "x.flow": 'use "./y"', "y.flow": 'use "r/a/x"' })] });
  });
});

describe("the program as a whole", () => {
  it.each([
    ["a repository twice", { repositories: [repository("r/a", {}), repository("r/a", {})] }, "1.0.0 twice"],
    ["two versions", { repositories: [repository("r/a", {}), repository("r/a", {}, "2")] }, "1.0.0 and 2"],
    ["a version with a slash", { repositories: [repository("r/a", {}, "1/2")] }, "a text without `/`"],
    ["no version", { repositories: [repository("r/a", {}, "")] }, "a text without `/`"],
    ["a version in the name", { repositories: [repository("r/a@1", {})] }, "a repository's name"],
    ["a name of nothing", { repositories: [repository("", {})] }, "a repository's name"],
    ["a path out of the root", local({ "../a.flow": "" }), "a file's path inside"],
    ["an absolute path", local({ "/a.flow": "" }), "a file's path inside"],
    ["a file without a name", local({ "a/.flow": "" }), "a file's path inside"],
    [
      "a local file in the place of another",
      { repositories: [repository("r/a", { "x.flow": "" })], local: { files: { "r/a@1.0.0/x.flow": "" } } },
      "one file for each identity",
    ],
  ])("refuses %s", async (_, program, says) => {
    expect(await sentence(program)).toContain(says);
    expect((await refusals(program))[0]).toMatch(/^ [a-z-]+ 0:0 /);
  });

  it("passes over files that are not Flow", async () => {
    expect((await accepted(local({ "flow.toml": "?", "README.md": "?", "a.flow": "" }))).tools).toEqual([]);
  });

  it("takes scopes for names of repositories", async () => {
    const { tools } = await accepted({ repositories: [repository("@acme/docs", { "a.flow": "@tool flow f() -> Result<Unit, Never>" })] });
    expect(tools[0]?.tool).toBe("@acme/docs@1.0.0/a.flow.f");
  });

  it("throws for what is no text: that is a fault of the caller", async () => {
    const files = { "a.flow": 1 } as unknown as Record<string, string>;
    await expect(accepted({ repositories: [], local: { files } })).rejects.toMatchObject({ code: "usage" });
  });
});
