import { useState } from "react";
import { Link } from "react-router";
import { callApi, hasCode } from "../api/client";
import { useApiMutation } from "../api/query-client";
import { useAfterSignIn } from "../sign-in/after-sign-in";
import { useErrorMessage } from "../sign-in/error-messages";
import { AuthPage } from "../sign-in/layout";
import { useReturnUrl, useTenant } from "../sign-in/tenant-context";
import { useTexts } from "../sign-in/texts/texts";
import { Button } from "../ui/Button";
import { Notice } from "../ui/feedback";
import { Form, TextField } from "../ui/fields";
import { Checkbox } from "../ui/Switch";
import { CodeField } from "./CodeField";

/** The second step of a sign-in with a password. */
export function TwoFactorPage() {
	const { client } = useTenant();
	const { secondFactor, layout, signIn } = useTexts();
	const errorMessage = useErrorMessage();
	const { search } = useReturnUrl();
	const goOn = useAfterSignIn();
	const [usesRecovery, setUsesRecovery] = useState(false);
	const [code, setCode] = useState("");
	const [trustDevice, setTrustDevice] = useState(false);
	const verify = useApiMutation({
		mutationFn: () => {
			const body = { code: code.replaceAll(" ", ""), trustDevice };
			return callApi(
				usesRecovery ? client.twoFactor.verifyBackupCode(body) : client.twoFactor.verifyTotp(body),
			);
		},
		onSuccess: (response) => goOn(response),
	});
	if (hasCode(verify.error, "INVALID_TWO_FACTOR_COOKIE", "TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE")) {
		return (
			<AuthPage title={secondFactor.expiredTitle}>
				<p>{errorMessage(verify.error)}</p>
				<Link className="button button-primary button-wide" to={`/sign-in${search}`}>
					{signIn.submit}
				</Link>
			</AuthPage>
		);
	}
	const change = () => {
		setUsesRecovery(!usesRecovery);
		setCode("");
		verify.reset();
	};
	return (
		<AuthPage
			title={secondFactor.title}
			hint={usesRecovery ? secondFactor.recoveryHint : secondFactor.hint}
			footer={<Link to={`/sign-in${search}`}>{layout.backToSignIn}</Link>}
		>
			<Form onSubmit={() => verify.mutate()}>
				{verify.error && <Notice kind="danger">{errorMessage(verify.error)}</Notice>}
				{usesRecovery ? (
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
				<p>
					<button type="button" className="link-button" onClick={change}>
						{usesRecovery ? secondFactor.useApp : secondFactor.useRecovery}
					</button>
				</p>
			</Form>
		</AuthPage>
	);
}
