import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{lib,functions,controllers,cli,xrds,package,test}/**/*.test.ts'],
    // Real processes and real gRPC on two cores: generous, so that a slow machine is not a failure.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
