/** The `Set-Cookie` line of a cookie; empty when the answer sets none of that name. */
export function cookieNamed(headers: Headers, name: string): string {
	return headers.getSetCookie().find((line) => line.startsWith(`${name}=`)) ?? "";
}
