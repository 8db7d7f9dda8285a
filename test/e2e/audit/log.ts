/** Requests as an API server of the lab wrote them down. */
import { existsSync, readFileSync, statSync } from 'node:fs';

/** The fields of an audit event of Kubernetes that are read here. */
export interface Request {
  readonly verb: string;
  readonly stage: string;
  readonly user: { readonly username: string };
  readonly userAgent?: string;
  readonly objectRef?: {
    readonly apiGroup?: string;
    readonly resource?: string;
    readonly namespace?: string;
    readonly name?: string;
    readonly subresource?: string;
  };
  readonly responseStatus?: { readonly code?: number };
  readonly requestObject?: unknown;
  /** UTC, with microseconds. */
  readonly stageTimestamp: string;
}

/** @param from  bytes of the file that were read before */
export function requestsIn(file: string, from = 0): readonly Request[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file).subarray(from).toString('utf8').split('\n');
  return lines.filter((line) => line.endsWith('}')).map((line) => JSON.parse(line) as Request);
}

/** Bytes. */
export function lengthOf(file: string): number {
  return existsSync(file) ? statSync(file).size : 0;
}
