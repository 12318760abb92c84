import { expect, it } from "vitest";
import { IndexedDbStore } from "../../src/host/idbstore.ts";

let made = 0;
const fresh = () => `test ${Date.now()} ${++made}`;

it("keeps lines and notes in order, across stores of one name", async () => {
  const name = fresh();
  const log = await new IndexedDbStore(name).open();
  expect(log).toMatchObject({ text: "", dropped: 0 });
  await Promise.all(Array.from({ length: 50 }, (_, i) => log.append(`${i}\n`)));
  await log.note("a note\n");
  await log.close();
  const expected = Array.from({ length: 50 }, (_, i) => `${i}\n`).join("");
  const store = new IndexedDbStore(name);
  expect(await store.read()).toBe(expected);
  expect(await store.notes()).toBe("a note\n");
  const again = await store.open();
  expect(again.text).toBe(expected);
  await again.append("more\n");
  await again.close();
  expect(await store.read()).toBe(`${expected}more\n`);
});

it("R38: a history that is being written cannot be opened a second time, until it is closed", async () => {
  const name = fresh();
  const log = await new IndexedDbStore(name).open();
  await expect(new IndexedDbStore(name).open()).rejects.toMatchObject({ code: "locked" });
  expect(await new IndexedDbStore(name).read()).toBe("");
  await log.close();
  await (await new IndexedDbStore(name).open()).close();
});

it("two histories are two histories", async () => {
  const [a, b] = [await new IndexedDbStore(fresh()).open(), await new IndexedDbStore(fresh()).open()];
  await a.append("a\n");
  await b.append("b\n");
  await Promise.all([a.close(), b.close()]);
});
