import type { AuthContext, BetterAuthOptions } from "@better-auth/core";
import { SECOND_FACTOR } from "../../call/foreign";
import { phoneNumber, username } from "../../call/foreign/sign-in-plugins";
import { optionsOf } from "../../database/encrypted-fields";
import { LineError } from "./import-result";
import { decodeTotpSecret } from "./second-factor";

/** Fields of a line that a plugin of Better Auth stores: its id, and how the app adds it. */
const PLUGIN_FIELDS = {
	username: { id: username.id, creator: "username()" },
	phoneNumber: { id: phoneNumber.id, creator: "phoneNumber()" },
	phoneNumberVerified: { id: phoneNumber.id, creator: "phoneNumber()" },
	totpSecret: { id: SECOND_FACTOR.plugin, creator: "twoFactor()" },
} as const;

type PluginField = keyof typeof PLUGIN_FIELDS;

/** The part of a line that plugins store. */
interface PluginValues {
	username?: string | undefined;
	phoneNumber?: string | undefined;
	phoneNumberVerified?: boolean | undefined;
	totpSecret?: string | undefined;
}

/** The fields of a line that the app cannot import, each with the plugin that it needs. */
export const missingPluginFields = ({ plugins = [] }: BetterAuthOptions): Map<string, string> =>
	new Map(
		Object.entries(PLUGIN_FIELDS)
			.filter(([, { id }]) => !plugins.some((plugin) => plugin.id === id))
			.map(([field, { creator }]) => [field, creator]),
	);

const invalid = (field: PluginField, problem: string) =>
	new LineError("VALIDATION_ERROR", `[${field}] ${problem}`);

/**
 * Returns the columns of the user that belong to plugins. They are checked as the plugins check them.
 *
 * @throws LineError
 */
export async function parsePluginFields(
	line: PluginValues,
	context: AuthContext,
): Promise<Record<string, unknown>> {
	const missing = missingPluginFields(context.options);
	for (const field of Object.keys(PLUGIN_FIELDS) as PluginField[]) {
		if (line[field] === undefined || !missing.has(field)) continue;
		throw invalid(field, `needs the plugin ${missing.get(field)}, which your app does not have`);
	}
	if (line.totpSecret !== undefined) requireUsableSecret(line.totpSecret, context);
	return { ...(await usernameColumns(line, context)), ...(await phoneColumns(line, context)) };
}

async function usernameColumns({ username: given }: PluginValues, context: AuthContext) {
	if (given === undefined) return {};
	const options: UsernameOptions = optionsOf(context, username.id);
	const { minUsernameLength, maxUsernameLength, usernameNormalization } = options;
	const normalize =
		usernameNormalization === false
			? (text: string) => text
			: (usernameNormalization ?? ((text: string) => text.toLowerCase()));
	const isLate = options.validationOrder?.username === "post-normalization";
	const checked = isLate ? normalize(given) : given;
	if (checked.length < (minUsernameLength || 3)) throw invalid("username", "is too short");
	if (checked.length > (maxUsernameLength || 30)) throw invalid("username", "is too long");
	const validate = options.usernameValidator ?? ((text: string) => /^[\w.]+$/.test(text));
	if (!(await validate(checked))) throw invalid("username", "is not valid");
	const hasDisplayName = context.tables.user?.fields.displayUsername !== undefined;
	return { username: normalize(given), ...(hasDisplayName && { displayUsername: given }) };
}

interface UsernameOptions {
	minUsernameLength?: number;
	maxUsernameLength?: number;
	usernameNormalization?: false | ((username: string) => string);
	usernameValidator?: (username: string) => boolean | Promise<boolean>;
	validationOrder?: { username?: string };
}

async function phoneColumns(line: PluginValues, context: AuthContext) {
	const { phoneNumber: given, phoneNumberVerified } = line;
	if (given === undefined) {
		if (phoneNumberVerified === undefined) return {};
		throw invalid("phoneNumberVerified", "needs a phoneNumber");
	}
	const options: PhoneOptions = optionsOf(context, phoneNumber.id);
	const isValid = (await options.phoneNumberValidator?.(given)) ?? true;
	if (!isValid) throw invalid("phoneNumber", "is not valid");
	return { phoneNumber: given, ...(phoneNumberVerified !== undefined && { phoneNumberVerified }) };
}

interface PhoneOptions {
	phoneNumberValidator?: (phoneNumber: string) => boolean | Promise<boolean>;
}

/** A secret whose codes Better Auth would reject locks its user out. No message repeats the secret. */
function requireUsableSecret(secret: string, context: AuthContext): void {
	const { totpOptions = {} }: { totpOptions?: TotpOptions } = optionsOf(
		context,
		SECOND_FACTOR.plugin,
	);
	if (totpOptions.disable) throw invalid("totpSecret", "needs twoFactor() with TOTP");
	if ((totpOptions.digits ?? 6) !== 6 || (totpOptions.period ?? 30) !== 30) {
		throw invalid("totpSecret", "needs twoFactor() with 6 digits and 30 seconds");
	}
	if (decodeTotpSecret(secret) === null) {
		throw invalid("totpSecret", "is not base32 of a text, which is all that twoFactor() can store");
	}
}

interface TotpOptions {
	disable?: boolean;
	digits?: number;
	period?: number;
}
