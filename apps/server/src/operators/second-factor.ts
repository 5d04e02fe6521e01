import { createOTP } from "@better-auth/utils/otp";
import type { AuthContext } from "better-auth";
import { generateRandomString, symmetricDecrypt, symmetricEncrypt } from "better-auth/crypto";
import * as z from "zod";

/**
 * A second factor as Better Auth's `twoFactor()` checks it at sign-in. Its own endpoints cannot replace
 * one: between `disable` and `enable`, the password alone would be enough.
 */
export type SecondFactor = { secret: string; recoveryCodes: string[] };

type Keys = Pick<AuthContext, "secretConfig">;

const RECOVERY_CODES = 10;
const SETUP_MS = 10 * 60 * 1000;

export function createRecoveryCodes(): string[] {
	return Array.from({ length: RECOVERY_CODES }, () => {
		const code = generateRandomString(10, "a-z", "0-9", "A-Z");
		return `${code.slice(0, 5)}-${code.slice(5)}`;
	});
}

export const createSecondFactor = (): SecondFactor => ({
	secret: generateRandomString(32),
	recoveryCodes: createRecoveryCodes(),
});

/** What an authenticator app reads from the QR code. */
export const totpUriOf = ({ secret }: SecondFactor, issuer: string, email: string): string =>
	createOTP(secret).url(issuer, email);

export const isCodeOf = ({ secret }: SecondFactor, code: string): Promise<boolean> =>
	createOTP(secret).verify(code);

const seal = ({ secretConfig: key }: Keys, data: string) => symmetricEncrypt({ key, data });
const unseal = ({ secretConfig: key }: Keys, data: string) => symmetricDecrypt({ key, data });

export const sealRecoveryCodes = (keys: Keys, codes: readonly string[]): Promise<string> =>
	seal(keys, JSON.stringify(codes));

export async function unsealRecoveryCodes(keys: Keys, text: string): Promise<string[]> {
	return z.array(z.string()).parse(JSON.parse(await unseal(keys, text)));
}

/** The columns of Better Auth's table. */
export const sealSecondFactor = async (keys: Keys, { secret, recoveryCodes }: SecondFactor) => ({
	secret: await seal(keys, secret),
	backupCodes: await sealRecoveryCodes(keys, recoveryCodes),
});

const setupSchema = z.object({
	purpose: z.literal("operator-second-factor"),
	validFor: z.string(),
	endsAt: z.number(),
	secret: z.string(),
	recoveryCodes: z.array(z.string()),
});

/**
 * The new second factor, for the operator to send back with the first code. Nothing is stored before, so
 * the old one works until the new one does.
 *
 * @param validFor what must be the same when it comes back
 */
export const sealSetup = (keys: Keys, validFor: string, factor: SecondFactor): Promise<string> => {
	const setup: z.input<typeof setupSchema> = {
		...factor,
		purpose: "operator-second-factor",
		validFor,
		endsAt: Date.now() + SETUP_MS,
	};
	return seal(keys, JSON.stringify(setup));
};

/** @returns `null` if it has expired or is valid for something else */
export async function unsealSetup(
	keys: Keys,
	validFor: string,
	text: string,
): Promise<SecondFactor | null> {
	try {
		const setup = setupSchema.parse(JSON.parse(await unseal(keys, text)));
		return setup.validFor === validFor && setup.endsAt > Date.now() ? setup : null;
	} catch {
		// The text is not ours.
		return null;
	}
}
