import { tenantError } from "../../tenant-error";

const MAX_TESTS = 10;
/** In milliseconds. */
const PERIOD = 60_000;
const MAX_TENANTS = 1000;

/** When each tenant was tested, for each instance of the plugin. */
const timesOf = new WeakMap<object, Map<string, number[]>>();

/**
 * A test makes the server call a provider that a tenant's admin chose. So each tenant has few of them,
 * beside the rate limit of Better Auth. The counters are in this process.
 *
 * @param instance the options of the plugin
 * @throws APIError `TOO_MANY_REQUESTS` after ten calls for the tenant in a minute
 */
export function requireTestAllowed(instance: object, tenantId: string): void {
	const tests = timesOf.get(instance) ?? new Map<string, number[]>();
	timesOf.set(instance, tests);
	const now = Date.now();
	const recent = (tests.get(tenantId) ?? []).filter((time) => now - time < PERIOD);
	if (recent.length >= MAX_TESTS) throw tenantError("TOO_MANY_REQUESTS");
	tests.delete(tenantId);
	tests.set(tenantId, [...recent, now]);
	const [oldest] = tests.keys();
	if (tests.size > MAX_TENANTS && oldest !== undefined) tests.delete(oldest);
}
