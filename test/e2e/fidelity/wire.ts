/**
 * Between an engine and the functions: functions get the same time from either engine, and their requests are recorded.
 * Bytes are passed on unchanged.
 */
import { Metadata } from '@grpc/grpc-js';
import { RunFunctionRequest } from '@crossplane-org/function-sdk-typescript';
import type { Json } from '#lib/api/json.ts';
import { NOW_METADATA } from '#lib/wire/method.ts';
import type { FunctionFolder } from '../../../cli/files/repository.ts';
import type { Functions } from '../../../cli/processes/functions.ts';
import { Relay } from '../../support/relay.ts';
import { requestMessage } from '../../wire/sdk.ts';

/** One call, as the function received it. */
export interface Asked {
  readonly function: FunctionFolder;
  readonly request: Json;
}

export class Wire {
  readonly #relays = new Map<FunctionFolder, Relay>();
  #asked: Asked[] = [];
  #now = new Date(0);

  /** Listens for every function before it resolves. */
  static async to(functions: Functions): Promise<Wire> {
    const wire = new Wire();
    for (const { name, address } of functions.all) await wire.#listen(name, address);
    return wire;
  }

  address(name: FunctionFolder): string {
    return `127.0.0.1:${this.#relays.get(name)?.port ?? 0}`;
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
    for (const relay of this.#relays.values()) relay.stop();
  }

  async #listen(name: FunctionFolder, address: string): Promise<void> {
    const asked = (request: Buffer): Metadata => {
      this.#asked.push({ function: name, request: RunFunctionRequest.toJSON(requestMessage(request)) as Json });
      const metadata = new Metadata();
      metadata.set(NOW_METADATA, this.#now.toISOString());
      return metadata;
    };
    this.#relays.set(name, await Relay.listening({ to: address, asked }));
  }
}
