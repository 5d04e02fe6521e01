import { callApi, hasCode } from "../api/client";
import { useApiMutation } from "../api/query-client";
import { Button } from "../ui/Button";
import { Notice } from "../ui/feedback";
import { KeyIcon } from "../ui/icons";
import { useAfterSignIn } from "./after-sign-in";
import { useErrorMessage } from "./error-messages";
import { usePasskeyAutofill } from "./passkey-autofill";
import { useTenant } from "./tenant-context";
import { useTexts } from "./texts/texts";

/** Browsers have no passkeys on pages that were loaded over plain HTTP. */
export const hasPasskeys = (): boolean => "PublicKeyCredential" in window;

/** Whether the browser rejected the call, as it does if the user cancels. */
export const isPasskeyCanceled = (error: unknown): boolean =>
	hasCode(error, "ERROR_PASSTHROUGH_SEE_CAUSE_PROPERTY");

export function PasskeyButton() {
	const { client } = useTenant();
	const { signIn: texts, errors } = useTexts();
	const errorMessage = useErrorMessage();
	const goOn = useAfterSignIn();
	const signIn = useApiMutation({
		mutationFn: () => callApi(client.signIn.passkey()),
		onSuccess: (response) => goOn(response),
	});
	const autofillError = usePasskeyAutofill();
	const error = signIn.error ?? (signIn.isIdle ? autofillError : null);
	return (
		<div className="stack stack-tight providers">
			{error && (
				<Notice kind="danger">
					{isPasskeyCanceled(error) ? errors.AUTH_CANCELLED : errorMessage(error)}
				</Notice>
			)}
			<Button
				wide
				icon={<KeyIcon />}
				busy={signIn.isPending || signIn.isSuccess}
				onClick={() => signIn.mutate()}
			>
				{texts.passkey}
			</Button>
		</div>
	);
}
