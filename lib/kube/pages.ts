/** A list of objects, page by page. An answer that is no list is an error: never an empty list. */
import { type JsonObject, type KubeObject, at, isJsonObject, stringAt } from '#lib/api/json.ts';
import { KubeRefusal, Unreachable } from './refusal.ts';
import { pathOf, type Resource } from './resource.ts';

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

const PAGE = 500;
/** Objects. More is not from an API that we serve. */
const MOST = 200_000;

/** All pages, as of one moment. A list that expires between two pages begins again once. */
export async function listed(ask: AskPage, server: string, resource: Resource, selection: Selection): Promise<Listed> {
  const pages = new Pages(ask, server, resource, selection);
  try {
    return await pages.all();
  } catch (thrown) {
    if (!KubeRefusal.has(thrown, 410)) throw thrown;
    return pages.all();
  }
}

class Pages {
  readonly #ask: AskPage;
  readonly #resource: Resource;
  readonly #selection: Selection;
  readonly #what: string;
  readonly #begin: string;
  #limit = PAGE;

  constructor(ask: AskPage, server: string, resource: Resource, selection: Selection) {
    this.#ask = ask;
    this.#resource = resource;
    this.#selection = selection;
    this.#what = `list ${resource.kind}`;
    this.#begin = `cannot ${this.#what} at "${server}"`;
  }

  async all(): Promise<Listed> {
    const items: KubeObject[] = [];
    let next: string | undefined;
    for (;;) {
      const page = await this.#page(next);
      const listed = at(page, 'items') ?? [];
      const resourceVersion = stringAt(page, 'metadata', 'resourceVersion');
      if (!Array.isArray(listed) || resourceVersion === undefined) throw this.#notAList();
      for (const item of listed as readonly unknown[]) items.push(this.#object(item));
      if (items.length > MOST)
        throw new Unreachable(this.#begin, { kind: 'TooLarge', why: `there are more than ${MOST} objects` });
      next = stringAt(page, 'metadata', 'continue');
      if (next === undefined) return { items, resourceVersion };
    }
  }

  /** Large objects come in smaller pages. */
  async #page(next: string | undefined): Promise<JsonObject> {
    for (;;) {
      const query = queryOf({ ...this.#selection, limit: String(this.#limit), continue: next });
      try {
        return await this.#ask(`${pathOf(this.#resource, this.#selection.namespace)}?${query}`, this.#what);
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
