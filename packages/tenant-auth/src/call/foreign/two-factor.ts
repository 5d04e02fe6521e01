import { optionsOf } from "../../database/encrypted-fields";
import type { EndpointRules } from "./endpoint-rules";
import type { ForeignPlugin } from "./foreign-plugin";

const id = "two-factor";
const TABLE = "twoFactor";
const TRUSTED_DEVICES = "trust-device-";

/** It finishes a sign-in whose first step set a cookie, or sets up the factor of a signed-in user. */
const step: EndpointRules = { tenantFrom: "token-or-session", signIn: "continued" };

export const twoFactor = {
	id,
	paths: {
		"/two-factor/enable": {
			signIn: "continued",
			verifiesPassword: true,
			enrollsSecondFactor: true,
		},
		"/two-factor/get-totp-uri": { verifiesPassword: true, enrollsSecondFactor: true },
		"/two-factor/disable": { signIn: "continued", verifiesPassword: true },
		"/two-factor/generate-backup-codes": { verifiesPassword: true },
		"/two-factor/send-otp": { ...step, enrollsSecondFactor: true },
		"/two-factor/verify-totp": { ...step, enrollsSecondFactor: true, endsSignIn: "two-factor" },
		"/two-factor/verify-otp": { ...step, enrollsSecondFactor: true, endsSignIn: "two-factor" },
		"/two-factor/verify-backup-code": { ...step, endsSignIn: "two-factor" },
	},
	secrets: {
		[TABLE]: [
			{ name: "secret", ifUnreadable: "refuse" },
			{
				name: "backupCodes",
				isEncrypted: (ctx) => {
					const { backupCodeOptions } = optionsOf(ctx, id);
					return (Object(backupCodeOptions).storeBackupCodes ?? "encrypted") === "encrypted";
				},
				ifUnreadable: "refuse",
			},
		],
	},
	lastingVerifications: [TRUSTED_DEVICES],
	secondFactor: {
		table: TABLE,
		trustedDevices: TRUSTED_DEVICES,
		trustMaxAge: ({ trustDeviceMaxAge }) =>
			typeof trustDeviceMaxAge === "number" ? trustDeviceMaxAge : 30 * 24 * 60 * 60,
	},
} satisfies ForeignPlugin;
