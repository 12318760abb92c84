/** Passes over the tests that a room leaves out of its rounds. */
import { beforeEach } from "vitest";
import { ROOMS } from "./rooms.mjs";

const { without } = ROOMS[process.env.FLOW_HOST_MUTATION_ROOM];

beforeEach(({ task, skip }) => {
  if (without?.test(task.name)) skip("it takes longer than all others and notices hardly a mutant");
});
