import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** Tests that start processes, replace modules or read what a process prints: each file has a process of its own. */
const APART = ['cli', 'package', 'test'];
/** Pure code: files share a worker, which reads each module once. */
const PURE = ['lib', 'simulator', 'clouds', 'functions', 'controllers', 'generate', 'xrds'];

const testsIn = (folders: readonly string[]): string[] => [`{${folders.join(',')}}/**/*.test.ts`];

export default defineConfig({
  test: {
    // Left out, one core of two would wait.
    maxWorkers: availableParallelism(),
    // Only a test that hangs takes this long: on two cores that a lab uses as well, seconds become minutes.
    testTimeout: 900_000,
    hookTimeout: 900_000,
    projects: [
      { extends: true, test: { name: 'apart', include: testsIn(APART) } },
      { extends: true, test: { name: 'pure', include: testsIn(PURE), isolate: false } },
    ],
  },
});
