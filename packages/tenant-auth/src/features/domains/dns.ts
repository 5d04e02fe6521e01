import type { AuthContext } from "@better-auth/core";
import { recordNameOf } from "./domain";
import { domainError } from "./domain-error";
import { domainSettings } from "./options";

/** What is used of Node's module. Bun, Deno and Workers with Node compatibility have it too. */
interface Dns {
	promises: { resolveTxt(name: string): Promise<string[][]> };
}

const TIMEOUT_MS = 5000;

/** The codes of a resolver that got an answer: there is no such name, or no such record. */
const NO_RECORD: readonly unknown[] = ["ENOTFOUND", "ENODATA"];

/**
 * The texts of all records that prove who owns a host.
 *
 * @throws APIError `DNS_UNAVAILABLE` if it is not known
 */
export async function findRecords(ctx: AuthContext, host: string): Promise<string[]> {
	const { resolveTxt = resolveByRuntime } = domainSettings(ctx);
	try {
		const records = await inTime(async () => resolveTxt(recordNameOf(host)));
		return records.map((chunks) => textOf(chunks));
	} catch (error) {
		if (NO_RECORD.includes(Object(error).code)) return [];
		ctx.logger.warn(`tenantAuth: the TXT record of ${host} could not be looked up`, error);
		throw domainError("DNS_UNAVAILABLE");
	}
}

/** A record consists of texts of at most 255 bytes. Some people paste the value with its quotes. */
const textOf = (chunks: readonly string[]) =>
	chunks
		.join("")
		.trim()
		.replace(/^"(.*)"$/, "$1");

function resolveByRuntime(name: string): Promise<string[][]> {
	const { process } = globalThis as { process?: { getBuiltinModule?(name: string): unknown } };
	const dns = process?.getBuiltinModule?.("node:dns") as Dns | undefined;
	if (dns) return dns.promises.resolveTxt(name);
	throw new Error("tenantAuth: this runtime has no node:dns. Set resolveTxt of tenantDomains().");
}

/** A resolver has no time limit of ours, and asks several times. */
function inTime<T>(work: () => Promise<T>): Promise<T> {
	return new Promise((resolve, reject) => {
		const timer = setTimeout(() => reject(new Error("DNS took too long")), TIMEOUT_MS);
		work()
			.then(resolve, reject)
			.finally(() => clearTimeout(timer));
	});
}
