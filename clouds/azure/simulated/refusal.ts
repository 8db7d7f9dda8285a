/** As the provider passes it on. */
export function refusedWith(code: string, message: string, status = '400 (400 Bad Request)'): string {
  return `unexpected status ${status} with error: ${code}: ${message}`;
}
