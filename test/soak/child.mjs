/** The process of the soak: a Tool that misbehaves as it is told, speaking the protocol by hand. */
import { createInterface } from "node:readline";
import { canonicalText, fingerprintOf, parseJson, readTypeSpec, signatureOf } from "../../dist/flow-host.js";
import { faultOf } from "./faults.mjs";

const FAR = "far.flow.echo";
const spec = readTypeSpec(parseJson('{"generic":[],"params":[{"name":"n","type":"Int"}],"ok":"Int","err":"Text","declarations":{}}'));
const served = `{"fingerprint":"${await fingerprintOf(spec)}","signature":${canonicalText(signatureOf(spec).described)},"tool":"${FAR}"}`;

const reply = ({ run, call }, outcome) =>
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", method: "reply", params: { run, call, outcome } })}\n`);

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === "describe") process.stdout.write(`{"id":${id},"jsonrpc":"2.0","result":{"data":"0.1","tools":[${served}]}}\n`);
  if (method === "call") answer(params);
});

function answer(params) {
  const { n } = params.args;
  switch (faultOf(n)) {
    case "failed":
      return reply(params, { Failed: "no" });
    case "throws":
      return reply(params, { Unknown: "broke" });
    case "not-run":
      return reply(params, { NotRun: "shut" });
    case "wrong":
      return reply(params, { Ok: "no number" });
    case "twice":
      reply(params, { Ok: n });
      return reply(params, { Ok: n });
    case "late":
      return setTimeout(reply, 250, params, { Ok: n });
    case "never":
      return undefined;
    case "dies":
      process.stdout.write('{"jsonrpc":"2.0","method":"reply"', () => process.exit(1));
      return undefined;
    default:
      return reply(params, { Ok: n });
  }
}
