#!/usr/bin/env node
import { enableCompileCache } from 'node:module';

// Must come first: parsing TypeScript takes longer than running it, and this caches the result for the next run.
enableCompileCache();
const { runProgram } = await import('./program.ts');
const { SIGNAL_EXIT } = await import('./exit.ts');

// `slipway … | head` needs no more than head read.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(SIGNAL_EXIT.unread);
});
process.exitCode = await runProgram(process.argv.slice(2));
