/** Between the caller of a function and the function: passes calls on as they are, and shows their bytes. */
import {
  type ChannelCredentials,
  Client,
  credentials,
  Metadata,
  Server,
  ServerCredentials,
  type sendUnaryData,
  type ServerUnaryCall,
} from '@grpc/grpc-js';
import { RUN_FUNCTION } from '#lib/wire/method.ts';

export interface RelayOptions {
  /** Of the function: host:port. */
  readonly to: string;
  /** Where it listens; port 0 picks a free one. @default 127.0.0.1:0 */
  readonly at?: string;
  /** PEM; left out, both sides are plain. */
  readonly tls?: { readonly ca: Buffer; readonly cert: Buffer; readonly key: Buffer };
  /** Before a call is passed on. @returns metadata to send along */
  readonly asked?: (request: Buffer) => Metadata;
  /** After the function answered. */
  readonly answered?: (request: Buffer, answer: Buffer) => void;
}

const AS_IS = (bytes: Buffer): Buffer => bytes;
const SERVICE = {
  runFunction: {
    path: RUN_FUNCTION,
    requestStream: false,
    responseStream: false,
    requestSerialize: AS_IS,
    requestDeserialize: AS_IS,
    responseSerialize: AS_IS,
    responseDeserialize: AS_IS,
  },
} as const;
/** The largest request that a function accepts may be sent on; its answer is limited by the caller. */
const SIZES = {
  'grpc.max_receive_message_length': 64 * 1024 * 1024,
  'grpc.max_send_message_length': -1,
  // A function that was killed comes back at the same address.
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 1000,
};

export class Relay {
  readonly #server: Server;
  readonly #client: Client;
  readonly port: number;

  private constructor(server: Server, client: Client, port: number) {
    this.#server = server;
    this.#client = client;
    this.port = port;
  }

  /** Listens before it resolves. */
  static async listening(options: RelayOptions): Promise<Relay> {
    const { to, at = '127.0.0.1:0', asked, answered } = options;
    const { serving, calling } = credentialsOf(options);
    const client = new Client(to, calling, SIZES);
    const server = new Server(SIZES);
    const passOn = (call: ServerUnaryCall<Buffer, Buffer>, done: sendUnaryData<Buffer>): void => {
      const { request } = call;
      const metadata = asked?.(request) ?? new Metadata();
      client.makeUnaryRequest(
        RUN_FUNCTION,
        AS_IS,
        AS_IS,
        request,
        metadata,
        { deadline: call.getDeadline() },
        (error, answer) => {
          if (answer !== undefined) answered?.(request, answer);
          done(error, answer ?? null);
        },
      );
    };
    server.addService(SERVICE, { runFunction: passOn });
    const port = await new Promise<number>((resolve, reject) => {
      server.bindAsync(at, serving, (error, bound) => (error === null ? resolve(bound) : reject(error)));
    });
    return new Relay(server, client, port);
  }

  stop(): void {
    this.#server.forceShutdown();
    this.#client.close();
  }
}

/** The function sees a client of the same authority, as it does without a relay. */
function credentialsOf({ tls }: RelayOptions): {
  readonly serving: ServerCredentials;
  readonly calling: ChannelCredentials;
} {
  if (tls === undefined) return { serving: ServerCredentials.createInsecure(), calling: credentials.createInsecure() };
  const { ca, cert, key } = tls;
  return {
    serving: ServerCredentials.createSsl(ca, [{ cert_chain: cert, private_key: key }], true),
    calling: credentials.createSsl(ca, key, cert),
  };
}
