import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { Link, useSearchParams } from "react-router";
import { useApiMutation } from "../api/query-client";
import { useLeave } from "../sign-in/after-sign-in";
import { signOutHere } from "../sign-in/client";
import { isRejected, useErrorMessage } from "../sign-in/error-messages";
import { AuthPage, LoadingPage } from "../sign-in/layout";
import { useSession } from "../sign-in/session-queries";
import { useReturnUrl, useTenant } from "../sign-in/tenant-context";
import { Filled, useTexts } from "../sign-in/texts/texts";
import { Button } from "../ui/Button";
import { Notice } from "../ui/feedback";
import { LoadFailedPage } from "./error-pages";
import { type Invitation, invitationQuery } from "./queries";
import { useSendVerification } from "./VerifyPage";

/**
 * Where the link of an invitation leads. The server accepts it for the signed-in user, or remembers it
 * for the next sign-up or sign-in of this browser.
 */
export function InvitationPage() {
	const tenant = useTenant();
	const { invitation: texts } = useTexts();
	const [query] = useSearchParams();
	const { data, error, isPending, refetch } = useQuery(
		invitationQuery(tenant, query.get("token") ?? ""),
	);
	const { tenant: shown } = tenant.options;
	useHiddenToken(Boolean(data));
	if (isPending) return <LoadingPage />;
	if (error && !isRejected(error)) return <LoadFailedPage error={error} onRetry={refetch} />;
	if (error || !data) return <InvalidInvitation />;
	if (data.status === "accepted") return <Accepted />;
	const role = Object.hasOwn(texts.roles, data.role)
		? texts.roles[data.role as keyof typeof texts.roles]
		: data.role;
	return (
		<AuthPage title={texts.title(shown.name)}>
			<p>{texts.text(shown.name, role)}</p>
			<p className="muted">
				<Filled text={texts.forEmail}>
					<strong className="break">{data.email}</strong>
				</Filled>
			</p>
			{data.status === "verification-required" ? (
				<VerifyFirst email={data.email} />
			) : (
				<SignInFirst email={data.email} />
			)}
		</AuthPage>
	);
}

/** Somebody who sees the URL later must not get the token. The query keeps the response. */
function useHiddenToken(isRead: boolean): void {
	useEffect(() => {
		if (!isRead) return;
		const url = new URL(window.location.href);
		url.searchParams.delete("token");
		window.history.replaceState(window.history.state, "", url);
	}, [isRead]);
}

function SignInFirst({ email }: Pick<Invitation, "email">) {
	const { client, options } = useTenant();
	const { invitation: texts } = useTexts();
	const errorMessage = useErrorMessage();
	const { search } = useReturnUrl();
	const session = useSession();
	const signOut = useApiMutation({
		mutationFn: async () => {
			await signOutHere(client);
			await session.refetch();
		},
	});
	if (session.data) {
		return (
			<>
				{signOut.error && <Notice kind="danger">{errorMessage(signOut.error)}</Notice>}
				<Notice kind="warning">
					<Filled text={texts.otherUser}>
						<strong className="break">{session.data.user.email}</strong>
					</Filled>
				</Notice>
				<Button kind="primary" wide busy={signOut.isPending} onClick={() => signOut.mutate()}>
					{texts.signOut}
				</Button>
			</>
		);
	}
	const state = { invited: email };
	const canSignUp = options.email.signIn;
	return (
		<div className="stack stack-tight">
			{canSignUp && (
				<Link className="button button-primary button-wide" to={`/sign-up${search}`} state={state}>
					{texts.createAccount}
				</Link>
			)}
			<Link
				className={`button button-wide ${canSignUp ? "button-secondary" : "button-primary"}`}
				to={`/sign-in${search}`}
				state={state}
			>
				{texts.signIn}
			</Link>
		</div>
	);
}

function VerifyFirst({ email }: Pick<Invitation, "email">) {
	const { invitation: texts } = useTexts();
	const errorMessage = useErrorMessage();
	const send = useSendVerification(email);
	if (send.isSuccess) return <Notice kind="success">{texts.sent}</Notice>;
	return (
		<>
			{send.error && <Notice kind="danger">{errorMessage(send.error)}</Notice>}
			<p>{texts.verify}</p>
			<Button kind="primary" wide busy={send.isPending} onClick={() => send.mutate()}>
				{texts.sendLink}
			</Button>
		</>
	);
}

function Accepted() {
	const { invitation: texts } = useTexts();
	const { name } = useTenant().options.tenant;
	const leave = useLeave();
	return (
		<AuthPage title={texts.acceptedTitle(name)}>
			<p>{texts.accepted}</p>
			<Button kind="primary" wide onClick={leave}>
				{texts.goOn}
			</Button>
		</AuthPage>
	);
}

function InvalidInvitation() {
	const { invitation: texts, layout } = useTexts();
	const { search } = useReturnUrl();
	return (
		<AuthPage
			title={texts.invalidTitle}
			footer={<Link to={`/sign-in${search}`}>{layout.backToSignIn}</Link>}
		>
			<p>{texts.invalid}</p>
		</AuthPage>
	);
}
