/** Passwords of at least eight characters that lead public lists of leaked ones, and the ones people type on servers. */
export const COMMON_PASSWORDS: ReadonlySet<string> = new Set(
  `
    00000000 0987654321 11111111 11223344 112233445566 12121212 123123123 1231231234
    12341234 12344321 123454321 12345678 123456789 1234567890 12345qwert 1234qwer
    123qweasd 13131313 147258369 159357456 1q2w3e4r 1q2w3e4r5t 1qaz2wsx 1qazxsw2
    22222222 33333333 44444444 55555555 66666666 77777777 87654321 88888888
    987654321 99999999 a1234567 a12345678 a1b2c3d4 aa123456 aaaaaaa1 aaaaaaaa
    abc12345 abcd1234 abcdefgh access14 admin123 admin1234 adminadmin administrator
    alexander andrew12 anthony1 arsenal1 asd12345 asdf1234 asdfghjk asdfghjkl
    ashley12 autumn2026 baseball baseball1 batman123 benjamin bigdaddy blink182
    butterfly changeme changeme1 changeme123 charlie1 cheesecake chelsea1 chocolate
    cocacola computer corvette daniel123 debian123 december default1 dragon123
    facebook february ferrari1 football football1 forever1 fortnite freedom1
    friday123 google123 guest123 hello123 hello1234 helloworld homeserver hunter123
    iloveyou iloveyou1 iloveyou2 internet january1 jennifer jessica1 jordan23
    killer123 letmein1 letmein123 liverpool lovelove master123 maverick mercedes
    metallica michael1 michelle minecraft monday123 monkey123 mustang1 nicholas
    nintendo november october1 orrery12 orrery123 orrery2026 p@ssw0rd p@ssword
    pa$$word pass1234 pass12345 passpass passw0rd password password! password1
    password12 password123 password1234 password2 password2025 password2026 pokemon1 porsche1
    princess q1w2e3r4 q1w2e3r4t5 qazwsxedc qqqqqqqq qwe12345 qweasdzxc qwer1234
    qwerty12 qwerty123 qwertyui qwertyuiop rainbow1 raspberry root1234 rootroot
    samantha samsung1 saturday scooby12 secret12 secret123 selfhosted september
    server123 shadow123 slipknot snoopy12 snowball spiderman spring2026 starwars
    summer2025 summer2026 sunday123 sunshine superman superstar temp1234 temporary
    test1234 tester123 testtest tinkerbell toortoor trustno1 ubuntu123 user1234
    username victoria welcome1 welcome123 whatever william1 winter2025 winter2026
    xxxxxxxx zaq12wsx zaq1zaq1 zxcv1234 zxcvbnm1 zxcvbnm123 zzzzzzzz
  `
    .trim()
    .split(/\s+/),
);
