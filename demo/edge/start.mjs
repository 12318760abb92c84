/** `npm run edge`: the Worker of `worker/` in workerd on this machine, and a run of the sample's program in it. */
import { startWorkers } from "./worker/serve.mjs";

const { address, close } = await startWorkers();
try {
  const place = new URL("runs/first", address);
  const response = await fetch(`${place}?query=tool`, { method: "POST" });
  if (!response.ok) throw new Error(`${place} answered ${response.status}: ${await response.text()}`);
  const { transcript, result } = await response.json();
  console.log("A program calls its Tools in workerd: two components and a service binding");
  for (const line of transcript) console.log(line);
  console.log(`  result: ${result}\n`);
  const history = await (await fetch(place)).text();
  console.log(`Its history is in a Durable Object, ${history.trimEnd().split("\n").length} lines, and at ${place}`);
  if (!process.argv.includes("--once")) {
    console.log("Ctrl+C ends it");
    await new Promise((resolve) => process.once("SIGINT", resolve).once("SIGTERM", resolve));
  }
} finally {
  await close();
}
