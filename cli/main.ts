#!/usr/bin/env node
import { enableCompileCache } from 'node:module';

// Must come first: parsing TypeScript takes longer than running it, and this caches the result for the next run.
enableCompileCache();
const { runProgram } = await import('./program.ts');
const { folderOfUser } = await import('./npm.ts');
const { errorLine, EXIT, SIGNAL_EXIT, systemCause } = await import('./exit.ts');

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // `slipway … | head` needs no more than head read.
  if (error.code === 'EPIPE') process.exit(SIGNAL_EXIT.unread);
  process.stderr.write(errorLine(`cannot write standard output: ${systemCause(error) ?? error.message}`));
  process.exit(EXIT.usage);
});
// The paths that the user gives, and those that are printed, are seen from where the user is.
const folder = folderOfUser(process.env);
if (folder !== undefined) process.chdir(folder);
process.exitCode = await runProgram(process.argv.slice(2));
