/** Commands and options that are unknown, incomplete or too many: each ends with one line that says what is accepted. */
import { testEndings } from './endings.ts';

testEndings([
  {
    name: 'an unknown command',
    args: ['simulat'],
    code: 2,
    line: 'slipway: unknown command "simulat"; did you mean "simulate"?',
  },
  ...[['nobody'], ['help', 'nobody'], ['nobody', '--help']].map((args) => ({
    name: `an unknown command: ${args.join(' ')}`,
    args,
    code: 2,
    line: 'slipway: unknown command "nobody": accepted: simulate, validate, describe, payload, plan, render, matrix, functions, completion',
    last: /\n {2}see slipway --help\n$/,
  })),
  ...[
    ['help', 'simulat'],
    ['simulat', '--help'],
  ].map((args) => ({
    name: `a misspelt command: ${args.join(' ')}`,
    args,
    code: 2,
    line: 'slipway: unknown command "simulat"; did you mean "simulate"?',
    last: /\n {2}see slipway --help\n$/,
  })),
  {
    name: 'no shell',
    args: ['completion'],
    code: 2,
    line: 'slipway: cannot print the completion script: no shell given; accepted: bash, zsh, fish',
    last: /\n {2}see slipway completion --help\n$/,
  },
  {
    name: 'no object to show: which kinds there are',
    args: ['describe'],
    code: 2,
    line: 'slipway: cannot describe: no kind given; accepted: cluster, nodepool or machine; or KIND/NAME, then without a name',
  },
  {
    name: 'an option without its value: which there are',
    args: ['matrix', '-o'],
    code: 2,
    line: 'slipway: cannot accept --output without a value: accepted: table, markdown, json',
  },
  {
    name: 'an option without its value: its form',
    args: ['simulate', 'examples/aws', '--seed'],
    code: 2,
    line: 'slipway: cannot accept --seed without a value: accepted: --seed <whole-number>',
  },
  {
    name: 'an argument too many',
    args: ['matrix', 'kubeadm'],
    code: 2,
    line: 'slipway: cannot accept "kubeadm" after matrix: accepted: options only',
  },
  {
    name: 'an unknown flag',
    args: ['simulate', 'examples/aws', '--sed', '1'],
    code: 2,
    line: 'slipway: unknown option "--sed"; did you mean "--seed"?',
  },
  {
    name: 'a seed that is not a number',
    args: ['simulate', 'examples/aws', '--seed', 'x'],
    code: 2,
    line: /cannot accept --seed "x": accepted: a whole number/,
  },
  {
    name: 'a file to save to that cannot be written',
    args: ['simulate', 'examples/aws', '--save', '/nowhere/before.yaml'],
    code: 2,
    line: /^slipway: cannot write "\/nowhere\/before.yaml": no such file or folder$/m,
  },
  {
    name: 'an empty seed',
    args: ['simulate', 'examples/aws', '--seed', ''],
    code: 2,
    line: 'slipway: cannot accept --seed "": accepted: a whole number from 0 to 4294967295',
  },
  {
    name: 'a misspelt format',
    args: ['matrix', '-o', 'jsn'],
    code: 2,
    line: 'slipway: cannot accept --output "jsn": accepted: table, markdown, json; did you mean "json"?',
  },
  {
    name: 'no file',
    args: ['simulate'],
    code: 2,
    line: 'slipway: cannot simulate: no file given; accepted: files and folders with claims, or - for standard input',
  },
  {
    name: 'an object and neither a file nor a live cluster',
    args: ['describe', 'cluster', 'prod'],
    code: 2,
    line: 'slipway: cannot describe: no file given; accepted: files and folders with claims, or - for standard input, or --context NAME for a live cluster',
  },
  {
    name: 'a file for the result that cannot be written',
    args: ['matrix', '--output-file', '/nowhere/matrix.txt'],
    code: 2,
    line: 'slipway: cannot write "/nowhere/matrix.txt": no such file or folder',
  },
  {
    name: 'no file to show the first boot of',
    args: ['payload'],
    code: 2,
    line: 'slipway: cannot show the first-boot data: no file given; accepted: files and folders with claims, or - for standard input',
  },
  {
    name: 'standard input twice',
    args: ['plan', '-f', '-', '--observed', '-'],
    code: 2,
    line: 'slipway: cannot plan: standard input is given twice; accepted: - once',
  },
  ...['yaml', 'json'].map((format) => ({
    name: `a format of render: -o ${format} would name a file`,
    args: ['render', 'examples/aws/cluster.yaml', 'compositions/aws/cluster.yaml', '-o', format],
    code: 2,
    line: `slipway: cannot accept --observed-resources "${format}": render always prints YAML, and -o is short for --observed-resources; accepted: a file or folder with existing composed resources`,
  })),
  ...['payload', 'functions', 'completion'].map((command) => ({
    name: `a format where there is one: ${command}`,
    args: [command, '-o', 'yaml'],
    code: 2,
    line: 'slipway: unknown option "-o": its output has one form, which --output-file writes to a file',
  })),
]);
