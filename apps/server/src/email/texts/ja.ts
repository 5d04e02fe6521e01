import type { EmailTexts } from "./en";

export const ja: EmailTexts = {
	hello: "こんにちは。",
	helloName: (name) => `${name} 様`,
	platform: "アカウント",
	questions: (email) => `ご質問は ${email} までお寄せください。`,
	copyLink: "ボタンが機能しない場合は、このリンクをブラウザーで開いてください:",
	ignore: "心当たりがない場合は、このメールを無視してください。",
	notYou: "心当たりがない場合は、リンクを開かずに、新しいパスワードを設定してください。",
	verification: {
		subject: "メールアドレスの確認",
		text: "これがご自身のメールアドレスであることを確認してください。",
		button: "メールアドレスを確認",
	},
	resetPassword: {
		subject: "新しいパスワードの設定",
		text: "このリンクで新しいパスワードを設定できます。リンクは 1 時間有効です。",
		button: "新しいパスワードを設定",
		ignore: "心当たりがない場合は、このメールを無視してください。パスワードは変わりません。",
	},
	changeEmail: {
		subject: "新しいメールアドレスの確認",
		text: (newEmail) =>
			`アカウントにログインしている人が、メールアドレスを ${newEmail} に変更しようとしています。`,
		button: "メールアドレスを変更",
	},
	deleteAccount: {
		subject: "アカウントの削除",
		text: "このリンクでアカウントを削除できます。この操作は元に戻せません。",
		button: "アカウントを削除",
	},
	existingAccount: {
		subject: "アカウントはすでにあります",
		text: "このメールアドレスでアカウントの作成が試みられましたが、すでにアカウントがあります。ログインするか、パスワードを忘れた場合はそこで新しいパスワードを設定してください。",
		button: "ログイン",
		ignore: "心当たりがない場合は、このメールを無視してください。何も変わっていません。",
	},
	signInLink: {
		subject: "ログイン用リンク",
		text: "このリンクでログインできます。リンクは 10 分間、1 回だけ有効です。",
		button: "ログイン",
	},
	secondFactorCode: {
		subject: "確認コード",
		text: "コードは {{code}} です。5 分間、1 回だけ有効です。{{tenant}} にログインするページでのみ入力し、誰にも教えないでください。",
		button: "新しいパスワードを設定",
		notYou:
			"ログインしようとした覚えがない場合は、他の人がパスワードを知っています。新しいパスワードを設定してください。",
	},
	newDevice: {
		subject: "アカウントへの新しいログイン",
		text: "{{tenant}} のアカウントに、これまで使われていないデバイスからログインがありました。\n\n日時：{{time}}\nデバイス：{{device}}\nIP アドレス：{{ipAddress}}",
		button: "アカウントを開く",
		notYou:
			"ご自身のログインであれば、何もする必要はありません。心当たりがない場合は、すぐにパスワードを変更し、他のすべてのデバイスからログアウトしてください。どちらもアカウントのページで行えます。",
		browserOn: (browser, system) => `${browser}（${system}）`,
		unknownDevice: "不明なデバイス",
		unknownAddress: "不明",
	},
	invitation: {
		subject: "招待のお知らせ",
		text: (tenant) => `${tenant} への招待が届いています。`,
		button: "招待を承諾",
		ignore: "心当たりがない場合は、このメールを無視してください。",
	},
};
