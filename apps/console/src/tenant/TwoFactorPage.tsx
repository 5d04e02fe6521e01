import { useState } from "react";
import { Link } from "react-router";
import { callApi, hasCode } from "../api/client";
import { useApiMutation } from "../api/query-client";
import { useAfterSignIn } from "../sign-in/after-sign-in";
import { createSecondStepClient } from "../sign-in/client";
import { useErrorMessage } from "../sign-in/error-messages";
import { AuthPage } from "../sign-in/layout";
import { hasPasskeys, isPasskeyCanceled } from "../sign-in/PasskeyButton";
import { useReturnUrl, useTenant } from "../sign-in/tenant-context";
import { useTexts } from "../sign-in/texts/texts";
import { Button } from "../ui/Button";
import { Notice } from "../ui/feedback";
import { Form, TextField } from "../ui/fields";
import { KeyIcon } from "../ui/icons";
import { Checkbox } from "../ui/Switch";
import { CodeField } from "./CodeField";

/** With a code. A passkey needs none. */
type Way = "app" | "recovery" | "email";

/** The second step of a sign-in with a password. */
export function TwoFactorPage() {
	const { client, hasEmailCodes, options } = useTenant();
	const { secondFactor, layout, signIn, errors } = useTexts();
	const errorMessage = useErrorMessage();
	const { search } = useReturnUrl();
	const goOn = useAfterSignIn();
	const [way, setWay] = useState<Way>("app");
	const [code, setCode] = useState("");
	const [trustDevice, setTrustDevice] = useState(false);
	const verify = useApiMutation({
		mutationFn: () => {
			const body = { code: code.replaceAll(" ", ""), trustDevice };
			if (way === "recovery") return callApi(client.twoFactor.verifyBackupCode(body));
			if (way === "email") return callApi(client.twoFactor.verifyOtp(body));
			return callApi(client.twoFactor.verifyTotp(body));
		},
		onSuccess: (response) => goOn(response),
	});
	const change = (next: Way) => {
		setWay(next);
		setCode("");
		verify.reset();
		send.reset();
		passkey.reset();
	};
	const send = useApiMutation({
		mutationFn: () => {
			verify.reset();
			passkey.reset();
			return callApi(client.twoFactor.sendOtp({}));
		},
		onSuccess: () => change("email"),
	});
	const passkey = useApiMutation({
		mutationFn: () => {
			verify.reset();
			send.reset();
			return callApi(createSecondStepClient(options.tenant.id).signIn.passkey());
		},
		onSuccess: (response) => goOn(response),
	});
	const error = verify.error ?? send.error ?? passkey.error;
	if (hasCode(error, "INVALID_TWO_FACTOR_COOKIE", "TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE")) {
		return (
			<AuthPage title={secondFactor.expiredTitle}>
				<p>{errorMessage(error)}</p>
				<Link className="button button-primary button-wide" to={`/sign-in${search}`}>
					{signIn.submit}
				</Link>
			</AuthPage>
		);
	}
	const isCanceled = isPasskeyCanceled(error);
	const hints = {
		app: secondFactor.hint,
		recovery: secondFactor.recoveryHint,
		email: secondFactor.emailHint,
	};
	return (
		<AuthPage
			title={secondFactor.title}
			hint={hints[way]}
			footer={<Link to={`/sign-in${search}`}>{layout.backToSignIn}</Link>}
		>
			<Form onSubmit={() => verify.mutate()}>
				{error && (
					<Notice kind="danger">{isCanceled ? errors.AUTH_CANCELLED : errorMessage(error)}</Notice>
				)}
				{way === "recovery" ? (
					<TextField
						label={secondFactor.recoveryCode}
						name="recovery-code"
						autoComplete="off"
						autoCapitalize="none"
						spellCheck={false}
						required
						value={code}
						onValueChange={setCode}
					/>
				) : (
					<CodeField value={code} onValueChange={setCode} />
				)}
				<Checkbox
					label={secondFactor.trust}
					checked={trustDevice}
					onCheckedChange={setTrustDevice}
				/>
				<Button kind="primary" type="submit" wide busy={verify.isPending || verify.isSuccess}>
					{secondFactor.submit}
				</Button>
				{options.methods.includes("passkey") && hasPasskeys() && (
					<Button
						wide
						icon={<KeyIcon />}
						busy={passkey.isPending || passkey.isSuccess}
						onClick={() => passkey.mutate()}
					>
						{secondFactor.usePasskey}
					</Button>
				)}
				{hasEmailCodes && (
					<Button wide busy={send.isPending} onClick={() => send.mutate()}>
						{way === "email" ? secondFactor.sendAgain : secondFactor.useEmail}
					</Button>
				)}
				<p>
					<button
						type="button"
						className="link-button"
						onClick={() => change(way === "app" ? "recovery" : "app")}
					>
						{way === "app" ? secondFactor.useRecovery : secondFactor.useApp}
					</button>
				</p>
			</Form>
		</AuthPage>
	);
}
