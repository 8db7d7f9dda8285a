/** A list of objects, page by page. An answer that is no list is an error: never an empty list. */
import { type JsonObject, type KubeObject, at, isJsonObject, stringAt } from '#lib/api/json.ts';
import { type Budget, LIMITS, weightOf } from './budget.ts';
import { MIB } from './exchange.ts';
import { KubeRefusal, Unreachable } from './refusal.ts';
import { pathOf, type Resource } from './resource.ts';
import type { Timing } from './timing.ts';

/** What of a kind is listed or watched; left out: all there is. */
export interface Selection {
  readonly namespace?: string | undefined;
  readonly labels?: string | undefined;
  readonly fields?: string | undefined;
}

export interface Listed {
  readonly items: readonly KubeObject[];
  /** Of the list, where a watch begins. */
  readonly resourceVersion: string;
}

/** Asks for a path; `what` is for messages. */
export type AskPage = (path: string, what: string) => Promise<JsonObject>;
/** Takes parts of an object away that nobody reads. */
export type Slim = (object: KubeObject) => KubeObject;

export interface ListParts {
  readonly ask: AskPage;
  readonly server: string;
  readonly timing: Timing;
  readonly budget?: Budget | undefined;
  readonly slim?: Slim | undefined;
}

const PAGE = 500;
/** Objects. More is not from an API that we serve. */
const MOST = 200_000;

/** All pages, as of one moment. A list that expires between two pages begins again once. */
export async function listed(parts: ListParts, resource: Resource, selection: Selection): Promise<Listed> {
  const pages = new Pages(parts, resource, selection);
  try {
    return await pages.all();
  } catch (thrown) {
    if (!KubeRefusal.has(thrown, 410)) throw thrown;
    return pages.all();
  }
}

interface Spent {
  readonly pages: number;
  readonly empty: number;
  /** Bytes of memory. */
  readonly weight: number;
}

function same(object: KubeObject): KubeObject {
  return object;
}

class Pages {
  readonly #parts: ListParts;
  readonly #resource: Resource;
  readonly #selection: Selection;
  readonly #what: string;
  readonly #begin: string;
  readonly #began: number;
  #limit: number;

  constructor(parts: ListParts, resource: Resource, selection: Selection) {
    this.#parts = parts;
    this.#began = parts.timing.elapsed();
    this.#limit = parts.budget === undefined ? PAGE : LIMITS.list.page;
    this.#resource = resource;
    this.#selection = selection;
    this.#what = `list ${resource.kind}`;
    this.#begin = `cannot ${this.#what} at "${parts.server}"`;
  }

  async all(): Promise<Listed> {
    const { slim = same } = this.#parts;
    const items: KubeObject[] = [];
    const spent = { pages: 0, empty: 0, weight: 0 };
    let next: string | undefined;
    for (;;) {
      const page = await this.#page(next);
      const listed = at(page, 'items') ?? [];
      const resourceVersion = stringAt(page, 'metadata', 'resourceVersion');
      if (!Array.isArray(listed) || resourceVersion === undefined) throw this.#notAList();
      for (const item of listed as readonly unknown[]) {
        const object = slim(this.#object(item));
        items.push(object);
        if (this.#parts.budget !== undefined) spent.weight += weightOf(object);
      }
      spent.pages += 1;
      if (listed.length === 0) spent.empty += 1;
      this.#bound(spent);
      if (items.length > MOST)
        throw new Unreachable(this.#begin, { kind: 'TooLarge', why: `there are more than ${MOST} objects` });
      next = stringAt(page, 'metadata', 'continue');
      if (next === undefined) return { items, resourceVersion };
    }
  }

  /** A server of somebody else may have pages without an end. */
  #bound({ pages, empty, weight }: Spent): void {
    const { budget, timing } = this.#parts;
    if (budget === undefined) return;
    const { list, kept } = LIMITS;
    const seconds = (timing.elapsed() - this.#began) / 1000;
    const excess = [
      pages > list.pages && `more than ${list.pages} pages`,
      empty > list.emptyPages && `more than ${list.emptyPages} empty pages`,
      weight > kept && `more than ${kept / MIB} MiB in memory`,
      seconds > list.seconds && `no end within ${list.seconds} s`,
    ].find((one) => one !== false);
    if (excess !== undefined) budget.cutOff(`its list of ${this.#resource.kind}s has ${excess}`);
    budget.check(this.#begin);
  }

  /** Large objects come in smaller pages. */
  async #page(next: string | undefined): Promise<JsonObject> {
    for (;;) {
      const query = queryOf({ ...this.#selection, limit: String(this.#limit), continue: next });
      try {
        return await this.#parts.ask(`${pathOf(this.#resource, this.#selection.namespace)}?${query}`, this.#what);
      } catch (thrown) {
        if (!(thrown instanceof Unreachable) || thrown.kind !== 'TooLarge' || this.#limit === 1) throw thrown;
        this.#limit = Math.ceil(this.#limit / 10);
      }
    }
  }

  /** Items of a list have no apiVersion and kind. */
  #object(item: unknown): KubeObject {
    if (!isJsonObject(item) || stringAt(item, 'metadata', 'name') === undefined) throw this.#notAList();
    return { ...item, apiVersion: this.#resource.apiVersion, kind: this.#resource.kind };
  }

  #notAList(): Unreachable {
    return new Unreachable(this.#begin, { kind: 'NotKubernetes', why: 'the answer is not a list' });
  }
}

/** The part of a URL after `?`. */
export function queryOf({
  labels,
  fields,
  namespace: _path,
  ...rest
}: Selection & Readonly<Record<string, string | undefined>>): string {
  const all = { ...rest, labelSelector: labels, fieldSelector: fields };
  const given = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return new URLSearchParams(given).toString();
}
