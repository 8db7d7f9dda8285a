/**
 * A program: the load balancer in front of the control plane. Forwards each connection to the first machine that
 * accepts it, in the given order. Arguments: address:port to listen on, then those of the machines.
 */
import { connect, createServer, type Socket } from 'node:net';

interface Place {
  readonly host: string;
  readonly port: number;
}

function placeOf(text: string): Place {
  const [host = '', port = ''] = text.split(':');
  return { host, port: Number(port) };
}

function passOn(client: Socket, [first, ...others]: readonly Place[]): void {
  if (first === undefined) {
    client.destroy();
    return;
  }
  const machine = connect(first);
  const refused = (): void => passOn(client, others);
  machine.once('error', refused);
  machine.once('connect', () => {
    machine.off('error', refused);
    for (const [one, other] of [
      [client, machine],
      [machine, client],
    ] as const) {
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
      one.pipe(other);
    }
  });
}

const [own = '', ...machines] = process.argv.slice(2);
const places = machines.map(placeOf);
createServer((client) => {
  client.on('error', () => client.destroy());
  passOn(client, places);
}).listen(placeOf(own));
