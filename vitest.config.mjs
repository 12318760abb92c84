import { playwright } from "@vitest/browser-playwright";
import { defineConfig } from "vitest/config";
import { findChromium, launchOptions } from "./test/browser/chromium.mjs";

// Far more than any test takes on an idle machine, so that a busy one fails none.
const shared = { testTimeout: 60_000, hookTimeout: 60_000 };

export default defineConfig({
  test: {
    // A test singled out while working must not stand for the whole suite.
    allowOnly: false,
    projects: [
      {
        test: {
          ...shared,
          name: "node",
          include: ["test/**/*.test.ts"],
          exclude: ["test/browser/**"],
          // Much of the time goes in waiting for other processes; with one worker on two processors a third more.
          maxWorkers: 2,
        },
      },
      {
        test: {
          ...shared,
          name: "browser",
          include: ["test/browser/**/*.test.ts"],
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            provider: playwright({ launchOptions: launchOptions(findChromium()) }),
            instances: [{ browser: "chromium" }],
          },
        },
      },
    ],
  },
});
