import type { AuthContext } from "@better-auth/core";
import { requireInstance } from "../../call/context/current-state";
import { findAddressProblem } from "../../call/network/public-hosts";
import { type DomainPurpose, RECORD_LABEL } from "./domain";
import { domainError } from "./domain-error";
import { domainSettings } from "./options";

/** A name in DNS has at most 253 characters, and that of the record is longer than the host's. */
const MAX_LENGTH = 253 - `${RECORD_LABEL}.`.length;

/** The URL parser would read something else out of these, or decode them. */
const NOT_IN_HOST = /[\s\p{Cc}/\\?#@:%*[\]<>^|]/u;

const HOST_NAME = /^([a-z\d]([a-z\d-]{0,61}[a-z\d])?\.)+[a-z]([a-z\d-]{0,61}[a-z\d])$/;

/**
 * Names below which everybody can register a domain, as far as they have a usual form. The complete list
 * has ten thousand names and changes every week, so an app brings its own (`isPublicSuffix`). The DNS
 * record decides anyway: nobody but the registry can publish one at such a name. An exception would be a
 * registry that lets people register names with an underscore.
 *
 * @see https://publicsuffix.org
 */
const USUAL_SUFFIX = /^(ac|co|com|edu|gob|gov|ltd|mil|net|nom|org|plc|sch)\.[a-z]{2}$/;

/** Whether a text is a host name in lowercase and in ASCII. */
export const isHostName = (text: string): boolean =>
	text.length <= MAX_LENGTH && HOST_NAME.test(text);

/**
 * A host name in lowercase and in ASCII, as it is written in URLs and in DNS.
 *
 * @throws APIError `INVALID_DOMAIN`
 */
export function requireHostName(text: string): string {
	const written = text.trim();
	const url = `https://${written}`;
	const isHost = !NOT_IN_HOST.test(written) && URL.canParse(url);
	const host = isHost ? new URL(url).hostname : "";
	if (host.length > MAX_LENGTH) throw invalid(`A host name has at most ${MAX_LENGTH} characters`);
	if (HOST_NAME.test(host)) return host;
	throw invalid("Write the host name alone, such as login.example.com");
}

/** @throws APIError `INVALID_DOMAIN` for a name that no tenant can own */
export function requireUsableHost(ctx: AuthContext, host: string, purpose: DomainPurpose): void {
	if (USUAL_SUFFIX.test(host) || domainSettings(ctx).isPublicSuffix?.(host))
		throw invalid("Everybody can register names below this one");
	if (findAddressProblem(new URL(`https://${host}`), false)) {
		throw invalid("This is not a public host name");
	}
	if (purpose === "email") return;
	// The app decides what its own hosts are for, even if others can write its DNS records.
	const { hosts } = requireInstance(ctx).options;
	const own = new URL(ctx.baseURL).hostname;
	const isOwn = hosts ? hosts.isOwnHost(host) : host === own || host.endsWith(`.${own}`);
	if (isOwn) throw invalid("This host name belongs to the app");
}

const invalid = (message: string) => domainError("INVALID_DOMAIN", { message });

/** The domain of an email address in ASCII, or `null`. */
export function findEmailDomain(email: string): string | null {
	const domain = email.slice(email.lastIndexOf("@") + 1);
	const url = `https://${domain}`;
	const host = !NOT_IN_HOST.test(domain) && URL.canParse(url) ? new URL(url).hostname : "";
	return isHostName(host) ? host : null;
}
