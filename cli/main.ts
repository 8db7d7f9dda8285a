#!/usr/bin/env node
import { enableCompileCache } from 'node:module';

// Before anything is read: reading TypeScript takes longer than running it, and the next run finds it read.
enableCompileCache();
const { runProgram } = await import('./program.ts');

process.exitCode = await runProgram(process.argv.slice(2));
