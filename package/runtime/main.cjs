// Starts the program beside it. V8 takes what it compiled when the image was built, if that is of the same V8; otherwise
// it compiles the program again, which costs some tens of milliseconds.
const { readFileSync } = require('node:fs');
const { constants, Script } = require('node:vm');

const filename = `${__dirname}/program.cjs`;

function compiled() {
  try {
    return readFileSync(`${__dirname}/program.cache`);
  } catch {
    return undefined; // an image for another machine than the one it was built on
  }
}

const script = new Script(readFileSync(filename, 'utf8'), {
  filename,
  cachedData: compiled(),
  importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
});
script.runInThisContext()(module.exports, require, module, filename, __dirname);
