import { useEffect, useEffectEvent, useState } from "react";
import { callApi } from "../api/client";
import { useAfterSignIn } from "./after-sign-in";
import { useTenant } from "./tenant-context";

/** What the email field needs so that browsers list the passkeys of the user there. */
export const WITH_PASSKEYS = "username webauthn";

/**
 * Lets the browser offer the user's passkeys at the email field, without a click on our button. A browser
 * that cannot do it, and a user who chooses none, see no difference.
 *
 * @returns why the service rejected the passkey that the user chose
 */
export function usePasskeyAutofill(): Error | null {
	const { client } = useTenant();
	const [error, setError] = useState<Error | null>(null);
	const goOn = useEffectEvent(useAfterSignIn());
	useEffect(() => {
		let isLeft = false;
		let isChosen = false;
		const offer = async () => {
			if (!(await canOffer()) || isLeft) return;
			// The client uses them only for the call that sends the passkey.
			const fetchOptions = {
				onRequest: () => {
					isChosen = true;
				},
			};
			const response = await callApi(client.signIn.passkey({ autoFill: true, fetchOptions }));
			if (!isLeft) goOn(response);
		};
		offer().catch((cause: Error) => {
			if (isChosen && !isLeft) setError(cause);
		});
		return () => {
			isLeft = true;
		};
	}, [client]);
	return error;
}

/** The preview in the console has its field in another document, so it asks for nothing. */
async function canOffer(): Promise<boolean> {
	const field = document.querySelector(`input[autocomplete="${WITH_PASSKEYS}"]`);
	if (!field || !("isConditionalMediationAvailable" in PublicKeyCredential)) return false;
	return PublicKeyCredential.isConditionalMediationAvailable();
}
