/**
 * Runs a command on a machine whose user data is its standard input: a fake of the EC2 metadata service, on an address
 * of this host.
 * Usage: instance-metadata.ts <command> [arguments]
 */
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

const userData = await buffer(process.stdin);
const [command = '', ...args] = process.argv.slice(2);

const server = createServer(({ method, url }, response) => {
  if (method === 'PUT') response.setHeader('x-aws-ec2-metadata-token-ttl-seconds', '60').end('fake');
  else if (url === '/latest/user-data') response.end(userData);
  else response.writeHead(404).end();
});

server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  const env = { ...process.env, AWS_EC2_METADATA_SERVICE_ENDPOINT: `http://127.0.0.1:${port}/` };
  const child = spawn(command, args, { env, stdio: ['ignore', 'inherit', 'inherit'] });
  child.on('exit', (code) => {
    process.exitCode = code ?? 1;
    server.close();
  });
});
