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
    // Real processes and real gRPC on two cores: generous, so that a slow machine is not a failure.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    projects: [
      { extends: true, test: { name: 'apart', include: testsIn(APART) } },
      { extends: true, test: { name: 'pure', include: testsIn(PURE), isolate: false } },
    ],
  },
});
