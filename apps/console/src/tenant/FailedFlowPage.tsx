import { Link, useSearchParams } from "react-router";
import { AuthPage } from "./AuthPage";
import { oauthFailure } from "./oauth-failures";
import { useSession } from "./session";

/** Where a sign-in through a provider ends that did not work. The code is for whoever is asked. */
export function FailedFlowPage() {
	const [query] = useSearchParams();
	const code = query.get("error");
	const { title, text } = oauthFailure(code);
	const signedIn = Boolean(useSession().data);
	return (
		<AuthPage title={title}>
			<p>{text}</p>
			<Link className="button button-primary button-wide" to={signedIn ? "/account" : "/sign-in"}>
				{signedIn ? "Back to your account" : "Back to sign-in"}
			</Link>
			{code && /^[\w'-]{1,80}$/.test(code) && (
				<p className="muted small">
					For your administrator: <code>{code}</code>
				</p>
			)}
		</AuthPage>
	);
}
