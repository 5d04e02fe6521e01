import { useState } from "react";
import { Link, Navigate, useSearchParams } from "react-router";
import { callApi } from "../api/client";
import { useApiMutation } from "../api/query-client";
import { useCaptcha } from "../sign-in/Captcha";
import { useErrorMessage } from "../sign-in/error-messages";
import { AuthPage } from "../sign-in/layout";
import { useKnownEmail, useReturnUrl, useTenant } from "../sign-in/tenant-context";
import { Filled, useTexts } from "../sign-in/texts/texts";
import { Button } from "../ui/Button";
import { Notice } from "../ui/feedback";
import { EmailField, Form } from "../ui/fields";
import { OpenLinkPage } from "./OpenLinkPage";

/** Sends an email with a link that signs in. The link of the email leads here too. */
export function EmailLinkPage() {
	const [query] = useSearchParams();
	const { emailLink, signIn } = useTexts();
	const link = query.get("link");
	if (link === null) return <SendLinkPage />;
	return (
		<OpenLinkPage
			title={signIn.title}
			text={emailLink.open}
			path="/magic-link/verify"
			link={link}
		/>
	);
}

function SendLinkPage() {
	const { options } = useTenant();
	const { emailLink, forgot, layout } = useTexts();
	const { search } = useReturnUrl();
	const [sentTo, setSentTo] = useState<string | null>(null);
	if (!options.methods.includes("magic-link")) return <Navigate to={`/sign-in${search}`} replace />;
	const back = <Link to={`/sign-in${search}`}>{layout.backToSignIn}</Link>;
	if (sentTo !== null) {
		return (
			<AuthPage title={forgot.sentTitle} footer={back}>
				<p>
					<Filled text={emailLink.sent}>
						<strong className="break">{sentTo}</strong>
					</Filled>
				</p>
			</AuthPage>
		);
	}
	return (
		<AuthPage title={emailLink.title} hint={emailLink.hint} footer={back}>
			<EmailLinkForm onSent={setSentTo} />
		</AuthPage>
	);
}

function EmailLinkForm({ onSent }: { onSent: (email: string) => void }) {
	const { client } = useTenant();
	const { emailLink } = useTexts();
	const errorMessage = useErrorMessage();
	const { url, pageUrl } = useReturnUrl();
	const [email, setEmail] = useState(useKnownEmail());
	const captcha = useCaptcha();
	const request = useApiMutation({
		mutationFn: () => {
			const callbackURL = decodedTwice(url);
			const errorCallbackURL = decodedTwice(pageUrl("error"));
			const body = { email, callbackURL, errorCallbackURL };
			return captcha.send((options) => callApi(client.signIn.magicLink(body, options)));
		},
		onSuccess: () => onSent(email),
	});
	return (
		<Form onSubmit={() => request.mutate()}>
			{request.error && <Notice kind="danger">{errorMessage(request.error)}</Notice>}
			<EmailField value={email} onValueChange={setEmail} />
			{captcha.field}
			<Button kind="primary" type="submit" wide busy={request.isPending}>
				{emailLink.submit}
			</Button>
		</Form>
	);
}

/** Better Auth decodes the URLs of a magic link once more than it encodes them. */
const decodedTwice = (url: string) => url.replaceAll("%", "%25");
