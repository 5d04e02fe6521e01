import { type ReactNode, useLayoutEffect, useRef, useState } from "react";
import { Link, useNavigate } from "react-router";
import { callApi, hasCode } from "../api/client";
import { useApiMutation } from "../api/query-client";
import { Button } from "../ui/Button";
import { Notice } from "../ui/feedback";
import { EmailField, Form, PasswordField } from "../ui/fields";
import { mayFocusField } from "../ui/pointer";
import { Checkbox } from "../ui/Switch";
import { useAfterSignIn } from "./after-sign-in";
import { useCaptcha } from "./Captcha";
import { useDomainProviders } from "./domain-providers";
import { useErrorMessage } from "./error-messages";
import { ContinueWith } from "./ProviderButtons";
import { WITH_PASSKEYS } from "./passkey-autofill";
import { SAML, useProviderSignIn } from "./provider-sign-in";
import { useKnownEmail, useReturnUrl, useTenant } from "./tenant-context";
import { useTexts } from "./texts/texts";

/** Email and password. If the domain of the email has a provider, that is offered in place of the password. */
export function EmailForm({ hasPasskey }: { hasPasskey: boolean }) {
	const { client, options } = useTenant();
	const { signIn: texts } = useTexts();
	const errorMessage = useErrorMessage();
	const { search } = useReturnUrl();
	const navigate = useNavigate();
	const goOn = useAfterSignIn();
	const knownEmail = useKnownEmail();
	const [email, setEmail] = useState(knownEmail);
	const [password, setPassword] = useState("");
	const [rememberMe, setRememberMe] = useState(true);
	const [usesPassword, setUsesPassword] = useState(false);
	const captcha = useCaptcha();
	const signIn = useApiMutation({
		mutationFn: () =>
			captcha.send((options) =>
				callApi(client.tenant.signIn.email({ email, password, rememberMe }, options)),
			),
		onSuccess: (response) => goOn(response),
		onError: (error) => {
			if (hasCode(error, "EMAIL_NOT_VERIFIED")) {
				navigate(`/verify${search}`, { state: { email, reason: "sign-in" } });
			}
		},
	});
	const providers = useDomainProviders(email);
	const provider = useProviderSignIn();
	const [first] = providers;
	const emailField = { value: email, onValueChange: setEmail };
	const autoComplete = hasPasskey ? WITH_PASSKEYS : "username";
	// Somebody who has typed a password, or whose browser has filled it in, uses it.
	if (first && !usesPassword && password === "") {
		return (
			<Form onSubmit={() => provider.start(first, email)}>
				{provider.error && <Notice kind="danger">{errorMessage(provider.error)}</Notice>}
				<EmailField {...emailField} autoComplete={autoComplete} />
				<Notice kind="info">{texts.ownSignIn}</Notice>
				<InPlaceOfField>
					{providers.map((id) => (
						<Button
							key={id}
							kind="primary"
							type={id === first ? "submit" : "button"}
							wide
							busy={provider.started === id}
							{...(id === first ? {} : { onClick: () => provider.start(id, email) })}
						>
							{id === SAML ? texts.company : <ContinueWith provider={id} />}
						</Button>
					))}
				</InPlaceOfField>
				<button type="button" className="link-button center" onClick={() => setUsesPassword(true)}>
					{texts.usePassword}
				</button>
			</Form>
		);
	}
	const isUnverified = hasCode(signIn.error, "EMAIL_NOT_VERIFIED");
	return (
		<Form onSubmit={() => signIn.mutate()}>
			{signIn.error && !isUnverified && <Notice kind="danger">{errorMessage(signIn.error)}</Notice>}
			<EmailField
				{...emailField}
				autoComplete={autoComplete}
				autoFocus={mayFocusField() && !knownEmail}
			/>
			<PasswordField
				label={texts.password}
				name="password"
				autoComplete="current-password"
				required
				autoFocus={mayFocusField() && (Boolean(knownEmail) || usesPassword)}
				value={password}
				onValueChange={setPassword}
				aside={options.email.reset && <Link to={`/forgot-password${search}`}>{texts.forgot}</Link>}
			/>
			<Checkbox label={texts.remember} checked={rememberMe} onCheckedChange={setRememberMe} />
			{captcha.field}
			<Button kind="primary" type="submit" wide busy={signIn.isPending || signIn.isSuccess}>
				{texts.submit}
			</Button>
		</Form>
	);
}

/** Takes the focus if the field that had it is gone. */
function InPlaceOfField({ children }: { children: ReactNode }) {
	const ref = useRef<HTMLDivElement>(null);
	useLayoutEffect(() => {
		if (document.activeElement === document.body) ref.current?.querySelector("button")?.focus();
	}, []);
	return (
		<div className="stack stack-tight" ref={ref}>
			{children}
		</div>
	);
}
