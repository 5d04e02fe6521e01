import { describeDevice } from "../../../console/src/device";
import type { Language } from "../languages";
import { EMAIL_TEXTS } from "./texts";

/** A sign-in, as its session has it. */
export type SignIn = {
	createdAt: Date;
	ipAddress?: string | null | undefined;
	userAgent?: string | null | undefined;
};

/** What an email says about a sign-in. The client chooses its user agent, but none of these words. */
export function describeSignIn({ createdAt, ipAddress, userAgent }: SignIn, language: Language) {
	const { browserOn, unknownDevice, unknownAddress } = EMAIL_TEXTS[language].newDevice;
	// The service does not know where the reader is.
	const format = new Intl.DateTimeFormat(language, {
		...{ dateStyle: "long", timeStyle: "short", timeZone: "UTC" },
	});
	return {
		time: `${format.format(createdAt)} UTC`,
		device: describeDevice(userAgent, { browserOn, unknown: unknownDevice }),
		ipAddress: ipAddress || unknownAddress,
	};
}
