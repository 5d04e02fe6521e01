import type { Auth } from "../auth";
import { basePath } from "../auth";
import { clientAddressHeader } from "../client-address";

/** What tells who calls. No tenant is among it: a manager is nobody's user. */
const passedOn = ["authorization", "cookie", clientAddressHeader];

export type ManagerCheck = (
	headers: Headers,
) => Promise<{ tenants: number } | { refusal: Response }>;

/**
 * Whether somebody may manage, by the plugin's own rule and rate limit: they are who may list the
 * tenants. The answer tells how many there are, and saves a query.
 */
export function managerCheck(auth: Pick<Auth, "handler">, baseUrl: string): ManagerCheck {
	return async (given) => {
		const headers = new Headers();
		for (const name of passedOn) {
			const value = given.get(name);
			if (value !== null) headers.set(name, value);
		}
		const url = `${baseUrl}${basePath}/tenant/list?limit=1`;
		const response = await auth.handler(new Request(url, { headers }));
		if (!response.ok) return { refusal: response };
		await response.body?.cancel();
		return { tenants: Number(response.headers.get("x-total-count")) };
	};
}
