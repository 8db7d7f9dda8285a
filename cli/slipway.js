#!/usr/bin/env node
// Plain JavaScript: a Node.js that cannot run TypeScript says what is needed, in one line.
const NEEDED = [22, 19];
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < NEEDED[0] || (major === NEEDED[0] && minor < NEEDED[1])) {
  process.stderr.write(
    `slipway: cannot run on Node.js ${process.versions.node}: accepted: ${NEEDED.join('.')} and newer\n` +
      '  npm ci installs one into node_modules, and npm run slipway -- uses it\n',
  );
  process.exit(1);
}
await import('./main.ts');
