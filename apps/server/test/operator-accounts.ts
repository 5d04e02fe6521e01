import { createHmac } from "node:crypto";
import type { Role } from "../src/operators/permissions";
import { cookiesOf, type RunningService } from "./running-service";

export const operatorPassword = "correct horse battery";

/** Invites an operator and returns the token of the link. */
export async function inviteOperator(
	{ backend }: Pick<RunningService, "backend">,
	email: string,
	role: Role,
) {
	const { operator, url } = await backend.auth.api.createOperator({ body: { email, role } });
	return { id: operator.id, token: new URL(url ?? "").searchParams.get("token") ?? "" };
}

export const signIn = ({ post }: Pick<RunningService, "post">, email: string) =>
	post("/sign-in/email", { email, password: operatorPassword });

/** An operator who has chosen a password and signed in, without a second factor. */
export async function newOperator(
	service: RunningService,
	role: Role,
	email = `${role}@example.com`,
) {
	const { id, token } = await inviteOperator(service, email, role);
	await service.post("/reset-password", { token, newPassword: operatorPassword });
	const cookie = cookiesOf(await signIn(service, email));
	return { id, email, cookie, headers: { cookie, origin: service.baseUrl } };
}

/** The secret in the URI that an authenticator app gets. */
export const secretOf = (totpUri: string) => new URL(totpUri).searchParams.get("secret") ?? "";

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

function decodeBase32(text: string): Buffer {
	const bits = [...text].map((letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, "0"));
	return Buffer.from((bits.join("").match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

/** What an authenticator app shows (https://www.rfc-editor.org/rfc/rfc6238). */
export function codeOf(secret: string, now = Date.now()): string {
	const counter = Buffer.alloc(8);
	counter.writeBigUInt64BE(BigInt(Math.floor(now / 30_000)));
	const digest = createHmac("sha1", decodeBase32(secret)).update(counter).digest();
	const offset = (digest.at(-1) ?? 0) & 15;
	const number = digest.readUInt32BE(offset) & 0x7fffffff;
	return String(number % 1_000_000).padStart(6, "0");
}

/** Sets up a second factor as an authenticator app would, and returns its secret. */
export async function setUpSecondFactor(
	{ post }: Pick<RunningService, "post">,
	headers: Record<string, string>,
) {
	const path = "/operator/account/set-up-second-factor";
	const answer = await post(path, { password: operatorPassword }, headers);
	const { totpURI, recoveryCodes, setup } = (await answer.json()) as {
		totpURI: string;
		recoveryCodes: string[];
		setup: string;
	};
	const secret = secretOf(totpURI);
	const body = { setup, code: codeOf(secret) };
	const confirmed = await post("/operator/account/confirm-second-factor", body, headers);
	return { secret, recoveryCodes, setup, status: confirmed.status };
}
