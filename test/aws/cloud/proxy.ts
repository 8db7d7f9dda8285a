/**
 * Between the provider and the emulator: writes every call down, and does to calls what a case asks for, as a network or
 * AWS itself would do.
 */
import { Agent, createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { asked, type Call, errorIn } from './call.ts';

/** Before a call is passed on, or after the answer came and before the provider gets it. */
export type Moment = 'before' | 'after';

export interface Intervention {
  readonly when: Moment;
  readonly action: RegExp;
  /** @returns the answer instead of the emulator's; undefined: the call goes on */
  readonly act: (call: Pick<Call, 'action' | 'about' | 'named'>) => Promise<Answer | undefined> | Answer | undefined;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Buffer;
}

export class Proxy {
  readonly calls: Call[] = [];
  readonly #interventions = new Set<Intervention>();
  readonly #agent = new Agent({ keepAlive: true });
  readonly #server: Server;
  readonly #to: number;
  port = 0;

  private constructor(to: number) {
    this.#to = to;
    this.#server = createServer((incoming, response) => void this.#pass(incoming, response));
  }

  /** @param to  port of the emulator */
  static async listening(to: number): Promise<Proxy> {
    const proxy = new Proxy(to);
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve));
    const address = proxy.#server.address();
    proxy.port = typeof address === 'object' && address !== null ? address.port : 0;
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** @returns ends it */
  intervene(intervention: Intervention): () => void {
    this.#interventions.add(intervention);
    return () => void this.#interventions.delete(intervention);
  }

  /** Calls since a number of them. */
  since(count: number): readonly Call[] {
    return this.calls.slice(count);
  }

  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
    this.#agent.destroy();
  }

  async #pass(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const body = await bodyOf(incoming);
      const { headers, method = '', url: path = '' } = incoming;
      const target = headers['x-amz-target'];
      const call = asked({ target: typeof target === 'string' ? target : undefined, method, path, body: String(body) });
      const refused = await this.#intervened('before', call);
      const answer = refused ?? (await this.#forwarded(incoming, body));
      const error = errorIn(answer.status, String(answer.body));
      this.calls.push({ ...call, at: Date.now(), status: answer.status, error });
      const said = (await this.#intervened('after', call)) ?? answer;
      response.writeHead(said.status, said.headers as Record<string, string>);
      response.end(said.body);
    } catch {
      response.destroy(); // one of the two went away
    }
  }

  async #intervened(when: Moment, call: Pick<Call, 'action' | 'about' | 'named'>): Promise<Answer | undefined> {
    for (const one of this.#interventions) {
      if (one.when !== when || !one.action.test(call.action)) continue;
      const answer = await one.act(call);
      if (answer !== undefined) return answer;
    }
    return undefined;
  }

  #forwarded({ headers, method, url: path }: IncomingMessage, body: Buffer): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const to = { host: '127.0.0.1', port: this.#to, path, method, headers, agent: this.#agent };
      const call = request(to, (answer) => {
        bodyOf(answer).then(
          (content) => resolve({ status: answer.statusCode ?? 502, headers: plain(answer.headers), body: content }),
          reject,
        );
      });
      call.on('error', reject);
      call.end(body);
    });
  }
}

/** A body is passed on as a whole. */
function plain({ 'transfer-encoding': _chunks, 'content-length': _length, ...headers }: IncomingMessage['headers']) {
  return headers;
}

async function bodyOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** As EC2 refuses a call, with a request id of its own each time. */
export function refusal(code: string, message: string, status = 503): Answer {
  const id = crypto.randomUUID();
  const body = `<?xml version="1.0" encoding="UTF-8"?><Response><Errors><Error><Code>${code}</Code><Message>${message}</Message></Error></Errors><RequestID>${id}</RequestID></Response>`;
  return { status, headers: { 'content-type': 'text/xml' }, body: Buffer.from(body) };
}
