#!/usr/bin/env node
import { enableCompileCache } from 'node:module';

// Must come first: parsing TypeScript takes longer than running it, and this caches the result for the next run.
enableCompileCache();
const { runProgram } = await import('./program.ts');

process.exitCode = await runProgram(process.argv.slice(2));
