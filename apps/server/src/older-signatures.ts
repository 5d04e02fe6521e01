import { createHmac, timingSafeEqual } from "node:crypto";
import type { MiddlewareHandler } from "hono";
import type { ServiceConfig } from "./service-config";

/**
 * Lets cookies count that an older secret signed, for as long as it is among the settings.
 *
 * Better Auth checks signatures with the newest secret alone, so that a new one would sign everybody
 * out. Here such a cookie is given the newest signature on its way in. The browser gets it when Better
 * Auth next renews the session.
 */
export function acceptOlderSignatures({
	settings,
	secrets,
}: Pick<ServiceConfig, "settings" | "secrets">): MiddlewareHandler {
	const numbered = settings.secrets.map(({ value }) => value);
	const [newest, ...older] = secrets.secret ? [...numbered, secrets.secret] : numbered;
	return async (c, next) => {
		const { headers } = c.req.raw;
		const given = headers.get("cookie");
		if (given && newest !== undefined && older.length > 0) {
			const cookies = given.split(";").map((cookie) => renewed(cookie, newest, older));
			headers.set("cookie", cookies.join(";"));
		}
		await next();
	};
}

function renewed(cookie: string, newest: string, older: string[]): string {
	const [, name, encoded] = /^([^=]+)=(.+)$/.exec(cookie) ?? [];
	const [, value, signature] = /^(.+)\.([\w+/]{43}=)$/.exec(decoded(encoded)) ?? [];
	if (value === undefined || signature === undefined) return cookie;
	if (!older.some((secret) => isSignedBy(secret, value, signature))) return cookie;
	return `${name}=${encodeURIComponent(`${value}.${sign(newest, value)}`)}`;
}

function decoded(text = ""): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return "";
	}
}

/** As better-call signs its cookies. */
const sign = (secret: string, value: string) =>
	createHmac("sha256", secret).update(value).digest("base64");

const isSignedBy = (secret: string, value: string, signature: string) =>
	timingSafeEqual(Buffer.from(sign(secret, value)), Buffer.from(signature));
