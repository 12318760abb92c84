/** Why a call ended as it did when its Tool was made to do something wrong: a sentence and the rule. */
import type { Fault, OutcomeTag } from "../../runner/messages.ts";

export interface FaultSwitch {
  readonly label: string;
  readonly sentence: string;
  readonly rule: string;
}

/** In the order in which the switches stand. */
export const FAULTS: Readonly<Record<Fault, FaultSwitch>> = {
  late: {
    label: "late",
    sentence:
      "The program stopped waiting and the reply came only after the grace time, so nobody can say whether the call happened; the late reply was dropped and changed nothing.",
    rule: "R29",
  },
  twice: {
    label: "twice",
    sentence: "The first reply closed the call with its outcome; the second one was dropped, counted, and changed nothing.",
    rule: "R28",
  },
  never: {
    label: "never",
    sentence: "The call was sent and no reply came within the grace time, so it may or may not have happened.",
    rule: "R29",
  },
  constructor: {
    label: "unknown constructor",
    sentence: "The Tool answered with a constructor that its declaration does not have, so the answer never reached the program.",
    rule: "R35 unknown-constructor",
  },
  limit: {
    label: "number past a limit",
    sentence:
      "The Tool answered with a number of 5,001 digits, past what any value may have, so the answer was refused before it was built.",
    rule: "R13",
  },
  crash: {
    label: "crash in the middle",
    sentence: "The Tool ended after it was handed the call and before it answered; it may have done its work, so NotRun would be a guess.",
    rule: "R27",
  },
  lost: {
    label: "lose the connection",
    sentence: "The request had gone out when the connection was lost; what the Tool did with it, nobody on this side knows.",
    rule: "R40a",
  },
};

/** A call that settled before its fault could show, such as one that was never sent, has another reason. */
export function explains(fault: Fault, tag: OutcomeTag): boolean {
  switch (fault) {
    case "late":
    case "never":
    case "crash":
    case "lost":
      return tag === "Unknown";
    case "constructor":
    case "limit":
      return tag === "BadReply";
    case "twice":
      return true;
  }
}
