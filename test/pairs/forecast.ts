import type { Engine } from '#simulator/engine.ts';
import type { Act, Claims } from './life.ts';
export interface Forecast {
  differences(): Promise<readonly string[]>;
}
export async function forecastOf(
  _engine: Engine,
  _act: Act,
  _before: Claims,
  _after: Claims,
): Promise<Forecast | undefined> {
  return undefined;
}
