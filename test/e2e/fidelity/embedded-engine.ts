/** One reconcile by simulator, over the same kind of gRPC connection as the real one. */
import { type FunctionClient, connectFunction } from '#lib/wire/client.ts';
import { SlipwayError } from '#lib/api/errors.ts';
import { RenderError, renderOnce } from '#simulator/render/render-once.ts';
import { FUNCTIONS, functionName } from '../../../cli/files/repository.ts';
import type { Rendering } from './rendering.ts';
import type { Start } from './stages.ts';
import type { Wire } from './wire.ts';

const NOTHING = { composite: undefined, composed: [], deleted: [], results: [], context: {} };

export class EmbeddedEngine {
  readonly #wire: Wire;
  readonly #clients: ReadonlyMap<string, FunctionClient>;

  constructor(wire: Wire) {
    this.#wire = wire;
    this.#clients = new Map(
      FUNCTIONS.map((name) => [functionName(name), connectFunction(wire.address(name), functionName(name))]),
    );
  }

  async render({ xr, composition, observed, required, definition, now }: Start): Promise<Rendering> {
    this.#wire.begin(now);
    const surroundings = { functions: (name: string) => this.#client(name), observed, required, now };
    try {
      const rendered = await renderOnce(xr, composition, {
        ...surroundings,
        ...(definition === undefined ? {} : { definition }),
      });
      return { ...rendered, error: undefined, asked: this.#wire.asked };
    } catch (thrown) {
      if (!(thrown instanceof SlipwayError)) throw thrown;
      const left = thrown instanceof RenderError ? thrown.left : {};
      return { ...NOTHING, ...left, error: thrown.message, asked: this.#wire.asked };
    }
  }

  stop(): void {
    for (const client of this.#clients.values()) client.close();
  }

  #client(name: string): FunctionClient {
    const client = this.#clients.get(name);
    if (client === undefined) throw new SlipwayError('UnknownSubject', `cannot find function "${name}"`);
    return client;
  }
}
