import { createHmac, timingSafeEqual } from "node:crypto";
import type { MiddlewareHandler } from "hono";
import type { ServiceConfig } from "../settings/service-config";

/**
 * Accepts cookies that were signed with an older secret, as long as this secret is in the settings.
 *
 * Better Auth verifies signatures with the newest secret only, so a rotation would sign everybody out.
 * This middleware signs such a cookie of a request again with the newest secret. The browser gets a new
 * cookie when Better Auth renews the session.
 */
export function acceptRotatedSecrets({
	settings,
	secrets,
}: Pick<ServiceConfig, "settings" | "secrets">): MiddlewareHandler {
	const versioned = settings.secrets.map(({ value }) => value);
	const [newest, ...older] = secrets.secret ? [...versioned, secrets.secret] : versioned;
	return async (c, next) => {
		const { headers } = c.req.raw;
		const given = headers.get("cookie");
		if (given && newest !== undefined && older.length > 0) {
			const cookies = given.split(";").map((cookie) => resign(cookie, newest, older));
			headers.set("cookie", cookies.join(";"));
		}
		await next();
	};
}

function resign(cookie: string, newest: string, older: string[]): string {
	const [, name, encoded] = /^([^=]+)=(.+)$/.exec(cookie) ?? [];
	const [, value, signature] = /^(.+)\.([\w+/]{43}=)$/.exec(decode(encoded)) ?? [];
	if (value === undefined || signature === undefined) return cookie;
	if (!older.some((secret) => isSignedWith(secret, value, signature))) return cookie;
	return `${name}=${encodeURIComponent(`${value}.${sign(newest, value)}`)}`;
}

function decode(text = ""): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return "";
	}
}

/** In the same way as better-call. */
const sign = (secret: string, value: string) =>
	createHmac("sha256", secret).update(value).digest("base64");

const isSignedWith = (secret: string, value: string, signature: string) =>
	timingSafeEqual(Buffer.from(sign(secret, value)), Buffer.from(signature));
