/**
 * Between an engine and the functions: functions get the same time from either engine, and their requests are recorded.
 * Bytes are passed on unchanged.
 */
import { Client, Metadata, Server, ServerCredentials, credentials, type sendUnaryData } from '@grpc/grpc-js';
import { FunctionRunnerServiceService, RunFunctionRequest } from '@crossplane-org/function-sdk-typescript';
import type { Json } from '#lib/api/json.ts';
import { NOW_METADATA } from '#lib/wire/method.ts';
import type { FunctionFolder } from '../../../cli/files/repository.ts';
import type { Functions } from '../../../cli/processes/functions.ts';
import { requestMessage } from '../../wire/sdk.ts';

/** One call, as the function received it. */
export interface Asked {
  readonly function: FunctionFolder;
  readonly request: Json;
}

const AS_IS = (bytes: Buffer): Buffer => bytes;
const { path } = FunctionRunnerServiceService.runFunction;
const SERVICE = {
  runFunction: {
    ...FunctionRunnerServiceService.runFunction,
    requestSerialize: AS_IS,
    requestDeserialize: AS_IS,
    responseSerialize: AS_IS,
    responseDeserialize: AS_IS,
  },
};
/** The maximum message size of a function. */
const SIZES = { 'grpc.max_receive_message_length': 64 * 1024 * 1024, 'grpc.max_send_message_length': -1 };

export class Wire {
  readonly #servers: Server[] = [];
  readonly #clients: Client[] = [];
  readonly #ports = new Map<FunctionFolder, number>();
  #asked: Asked[] = [];
  #now = new Date(0);

  /** Listens for every function before it resolves. */
  static async to(functions: Functions): Promise<Wire> {
    const wire = new Wire();
    for (const { name, address } of functions.all) await wire.#listen(name, address);
    return wire;
  }

  address(name: FunctionFolder): string {
    return `127.0.0.1:${this.#ports.get(name) ?? 0}`;
  }

  /** Starts a reconcile at a given time; earlier requests are forgotten. */
  begin(now: Date): void {
    this.#now = now;
    this.#asked = [];
  }

  /** Since the last start, in order. */
  get asked(): readonly Asked[] {
    return this.#asked;
  }

  stop(): void {
    for (const server of this.#servers) server.forceShutdown();
    for (const client of this.#clients) client.close();
  }

  async #listen(name: FunctionFolder, address: string): Promise<void> {
    const client = new Client(address, credentials.createInsecure(), SIZES);
    const server = new Server(SIZES);
    server.addService(SERVICE, {
      runFunction: ({ request }: { readonly request: Buffer }, done: sendUnaryData<Buffer>) => {
        this.#asked.push({ function: name, request: RunFunctionRequest.toJSON(requestMessage(request)) as Json });
        const metadata = new Metadata();
        metadata.set(NOW_METADATA, this.#now.toISOString());
        client.makeUnaryRequest(path, AS_IS, AS_IS, request, metadata, (error, bytes) => done(error, bytes ?? null));
      },
    });
    this.#clients.push(client);
    this.#servers.push(server);
    const port = await new Promise<number>((resolve, reject) => {
      server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) => {
        if (error === null) resolve(bound);
        else reject(error);
      });
    });
    this.#ports.set(name, port);
  }
}
