/**
 * The gRPC health service, on the port of the function itself. Its two messages are written here by hand: the
 * package that has them reads a .proto file at run time, which a single bundled file does not carry.
 */
import {
  type sendUnaryData,
  type Server,
  type ServerUnaryCall,
  type ServerWritableStream,
  status,
} from '@grpc/grpc-js';
import { Reader, Writer } from 'protobufjs/minimal.js';

/** Numbers of grpc.health.v1.HealthCheckResponse.ServingStatus. */
const STATUS = { SERVING: 1, NOT_SERVING: 2 } as const;
export type Serving = keyof typeof STATUS;

/** An object even where it holds one word: gRPC takes an empty text for no message at all. */
export interface Question {
  readonly service: string;
}

export class Health {
  #serving: Serving = 'NOT_SERVING';
  readonly #watchers = new Set<ServerWritableStream<Question, Serving>>();

  set(serving: Serving): void {
    this.#serving = serving;
    for (const watcher of this.#watchers) watcher.write(serving);
  }

  /** Answers for the whole server, which is the empty name; any other name is unknown. */
  addTo(server: Server): void {
    server.addService(SERVICE, {
      check: (call: ServerUnaryCall<Question, Serving>, done: sendUnaryData<Serving>) => {
        if (call.request.service === '') done(null, this.#serving);
        else
          done({
            code: status.NOT_FOUND,
            details: `unknown service "${call.request.service}"; accepted: the empty name`,
          });
      },
      watch: (call: ServerWritableStream<Question, Serving>) => {
        this.#watchers.add(call);
        call.on('cancelled', () => this.#watchers.delete(call));
        call.write(this.#serving);
      },
    });
  }

  /** Ends open watches, which would otherwise keep a stopping server waiting. */
  end(): void {
    for (const watcher of this.#watchers) watcher.end();
    this.#watchers.clear();
  }
}

const messages = {
  requestSerialize: ({ service }: Question): Buffer => Buffer.from(Writer.create().uint32(10).string(service).finish()),
  requestDeserialize: (bytes: Buffer): Question => {
    const reader = Reader.create(bytes);
    let service = '';
    while (reader.pos < reader.len) {
      const tag = reader.tag();
      if (tag === 10) service = reader.string();
      else reader.skipType(tag & 7);
    }
    return { service };
  },
  responseSerialize: (serving: Serving): Buffer =>
    Buffer.from(Writer.create().uint32(8).int32(STATUS[serving]).finish()),
  responseDeserialize: (bytes: Buffer): Serving => {
    const reader = Reader.create(bytes);
    reader.uint32();
    return reader.int32() === STATUS.SERVING ? 'SERVING' : 'NOT_SERVING';
  },
};

/** grpc.health.v1.Health; clients use it as well. */
export const SERVICE = {
  check: { path: '/grpc.health.v1.Health/Check', requestStream: false, responseStream: false, ...messages },
  watch: { path: '/grpc.health.v1.Health/Watch', requestStream: false, responseStream: true, ...messages },
} as const;
